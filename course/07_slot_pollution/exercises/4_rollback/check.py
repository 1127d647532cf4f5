"""Exercise 07.4: all layers or none, and the neighbours keep what they did meanwhile."""

from __future__ import annotations

import inspect
import random
from types import MappingProxyType
from typing import Any

from sharedstate.checks.shown import shown_class
from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict, is_record

Rows = list[list[int]]              # for each layer, the numbers of one request
RUNNING, NEIGHBOUR, NEWCOMER, NEIGHBOURS = "ann", "ben", "cy", 99


class OutOfMemory(Exception):
    """What a write raises when the machine has nothing left."""


class Cancelled(BaseException):
    """What a write raises when its client has hung up: no Exception, as in asyncio."""


SLIPS = (NameError, AttributeError, TypeError)    # more likely a slip than a word for "no room"
ERRORS = MappingProxyType({"OutOfMemory": OutOfMemory, "Cancelled": Cancelled})


Cache: Any = shown_class(__file__, "Cache")


class WatchedCache(Cache):
    """A cache as a case describes it: its `put` fails when told to, and meanwhile a neighbour moves on."""

    def __init__(self, case: Case) -> None:
        super().__init__(case["layers"], case["num_slots"], case["capacity"])
        self.case, self.calls, self.fails_at = case, 0, 0
        for slot, (name, rows) in enumerate(case["guests"]):
            for layer, numbers in enumerate(rows):
                for number in numbers:
                    super().put(layer, slot, number)
            if name:
                self.slot[name] = slot
                self.free.remove(slot)

    def put(self, layer: int, slot: int, number: int) -> None:
        """Write, unless this is the call that fails."""
        self.calls += 1
        if self.calls != self.fails_at:
            return super().put(layer, slot, number)
        if self.case["meanwhile"] == "ends":
            self.free.add(self.slot.pop(NEIGHBOUR))
        elif self.case["meanwhile"]:
            for each in range(len(self.numbers)):
                super().put(each, self.slot[NEIGHBOUR], NEIGHBOURS)
        if self.case["after_writing"]:
            super().put(layer, slot, number)
        raise ERRORS[self.case["error"]]("no more")

    def seen(self, error: BaseException | None) -> dict[str, object]:
        """Return plain data: the error, who has which slot, which are free, and what each may read."""
        valid = [[numbers[:length] for numbers, length in zip(*layer, strict=True)]
                 for layer in zip(self.numbers, self.lengths, strict=True)]     # [layer][slot]
        strange = [slot for slot in self.slot.values() if type(slot) is not int or not 0 <= slot < len(valid[0])]
        if strange:
            said = f"There is no slot {strange[0]!r} here: they are numbered 0 to {len(valid[0]) - 1}."
            raise AnswerProblem("wrong-slot", said)
        contents = {name: [layer[slot] for layer in valid] for name, slot in sorted(self.slot.items())}
        return {"error": None if error is None else type(error).__name__, "slot": dict(sorted(self.slot.items())),
                "free": sorted(self.free), "contents": contents}


class AllOrNothing(Exercise):
    """The answer is extend(cache, request, rows): rows[layer] are the numbers that layer gets."""

    id = "07.4"
    title = "All layers or none"
    answer = "extend"
    minutes = 14
    difficulty = 3
    points = 3.0
    expects = "a function"
    judge_source = True
    imports = ("contextlib", "dataclasses", "torch")

    def cases(self, seed: int) -> list[Case]:
        """Writes that go well; then each way to fail, for a request that runs and for one that is new."""
        draw = self.draw(seed)
        many = draw.randrange(3, 5)
        return [
            _case(draw, "it goes well", RUNNING, visible=True),
            _case(draw, "several numbers, four layers", RUNNING, layers=4, count=3),
            _case(draw, "a newcomer in a recycled slot", NEWCOMER, count=2),
            _case(draw, "the second layer fails", RUNNING, fails_at=2),
            _case(draw, "in the middle of a layer", RUNNING, count=3, layers=many, fails_at=5),
            _case(draw, "the last of four layers fails", RUNNING, layers=4, fails_at=4),
            _case(draw, "layers of unequal length", RUNNING, layers=3, count=2, fails_at=4, uneven=True),
            _case(draw, "the very first write fails", RUNNING, count=2, fails_at=1),
            _case(draw, "a newcomer fails", NEWCOMER, count=2, fails_at=3),
            _case(draw, "it fails after writing", RUNNING, count=2, fails_at=3, after_writing=True),
            _case(draw, "nothing to write", NEWCOMER, count=0),
            _case(draw, "the slot is full", RUNNING, count=9),
            _case(draw, "no slot is free", NEWCOMER, num_slots=2),
            _case(draw, "meanwhile the neighbour writes", RUNNING, count=2, fails_at=3, meanwhile="writes"),
            _case(draw, "meanwhile the neighbour ends", NEWCOMER, count=2, fails_at=3, meanwhile="ends"),
            _case(draw, "it writes beside a newcomer", NEWCOMER, count=2, fails_at=3, meanwhile="writes"),
            _case(draw, "it ends beside one that runs", RUNNING, count=2, fails_at=3, meanwhile="ends"),
            _case(draw, "the client hangs up", RUNNING, count=2, fails_at=4, error="Cancelled"),
            _case(draw, "a new client hangs up", NEWCOMER, count=2, fails_at=2, error="Cancelled"),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Extend with the failure, then again without one, then once more with it (unless a neighbour moves)."""
        cache, rows = WatchedCache(case), [list(numbers) for numbers in case["rows"]]
        turns = [case["fails_at"], 0, case["fails_at"]][: _turns(case)]
        return [_tried(answer, cache, case, rows, fails_at) for fails_at in turns]

    def judge(self, case: Case, value: object) -> Verdict:
        """After a failure everything must be as before; the second try must give what a first one would."""
        if type(value) is not list or len(value) != _turns(case) or not all(map(_readable, value)):
            return self.unseen("this cache")
        found = _failure(case, value[0]) if _error(case) else _success(case, value[0], case.label)
        if found is None and len(value) > 1:
            found = _success(case, value[1], "the second try")
            found = found and ("retry-not-rolled-back", f"{found[1]} The first try has left something behind.")
        if found is None and len(value) > 2 and value[2] != {**value[1], "error": case["error"]}:
            found = ("forgets-what-went-well", "a failure, a success, a failure: the success must stand.")
        if found:
            hung_up = case["error"] == "Cancelled" and found[0] != "swallows"
            return self.wrong("only-some-exceptions" if hung_up else found[0], f"Case '{case.label}': {found[1]}")
        return self.right("All or nothing, and the neighbours noticed nothing.")


def _turns(case: Case) -> int:
    """How often the answer is called."""
    return (2 if case["meanwhile"] else 3) if case["fails_at"] else 1


def _tried(answer: Any, cache: WatchedCache, case: Case, rows: Rows, fails_at: int) -> dict[str, object]:
    """Call the answer; the error that came out is data. Anything but the errors of this exercise passes on."""
    raised: BaseException | None = None
    cache.calls, cache.fails_at = 0, fails_at
    try:
        found = answer(cache, case["request"], rows)
        if inspect.isgenerator(found) or inspect.iscoroutine(found):
            found.close()
            said = f"extend gives a {type(found).__name__}, and nobody runs it: write a plain def."
            raise AnswerProblem("never-ran", said)
    except (OutOfMemory, Cancelled, IndexError, ValueError, KeyError, RuntimeError, StopIteration) as error:
        raised = error
    except Exception as error:
        if _error(case) != "any" or isinstance(error, SLIPS):
            raise
        raised = error  # who finds no room may say so in words of its own
    if rows != case["rows"]:
        raise AnswerProblem("changes-its-input", "extend changes the rows: they belong to the caller.")
    return cache.seen(raised)


def _readable(value: object) -> bool:
    """True for a snapshot of the right form."""
    if not is_record(value, ("error", "slot", "free", "contents")):
        return False
    kinds = (type(value["slot"]), type(value["free"]), type(value["contents"]))
    return kinds == (dict, list, dict) and value["slot"].keys() == value["contents"].keys()


def _error(case: Case) -> str | None:
    """Return the error that must come out; "any" where the case leaves it open."""
    if case["fails_at"]:
        return case["error"]
    full = case["request"] == RUNNING and len(case["rows"][0]) + 2 > case["capacity"]
    nowhere = case["request"] == NEWCOMER and case["num_slots"] == 2
    return "any" if full or nowhere else None


def _before(case: Case) -> tuple[dict[str, int], dict[str, Rows], list[int]]:
    """Return slots, contents and free slots as they should be after a failure."""
    running = {name: slot for slot, (name, _) in enumerate(case["guests"]) if name}
    contents = {name: [list(numbers) for numbers in rows] for name, rows in case["guests"] if name}
    if case["meanwhile"] == "writes":
        for numbers in contents[NEIGHBOUR]:
            numbers.append(NEIGHBOURS)
    if case["meanwhile"] == "ends":
        del running[NEIGHBOUR], contents[NEIGHBOUR]
    return running, contents, [slot for slot in range(case["num_slots"]) if slot not in running.values()]


def _failure(case: Case, value: dict) -> tuple[str, str] | None:
    """Return (reason, what is wrong) after a failed call, or None."""
    wanted, request = _error(case), case["request"]
    running, contents, free = _before(case)
    if value["error"] is None:
        return "swallows", (
            "the write failed, and the caller was not told. Write by cache.put only, and let its exception out.")
    if wanted not in ("any", value["error"]):
        return "other-exception", f"the write raised {wanted}, and {value['error']} came out."
    if value["contents"].get(NEIGHBOUR) != contents.get(NEIGHBOUR):
        return "undoes-the-neighbour", "what the neighbour did meanwhile is gone. Take back your own steps only."
    if request in value["slot"] and request not in running:
        return "still-there", f"{request} was refused, and still has slot {value['slot'][request]}."
    if value["free"] != free:
        if request in running:
            return "frees-a-running-slot", f"free slots are {value['free']}; {request} runs in {running[request]}."
        return "slot-lost", f"free slots are {value['free']}, and before they were {free}."
    if value["slot"] != running:
        return "touches-others", f"slots are {value['slot']}, and before they were {running}."
    if value["contents"] != contents:
        reason = "counts-its-own-calls" if case["after_writing"] else "length-kept"
        return reason, f"valid in each layer is now {value['contents'].get(request)}, before {contents.get(request)}."
    return None


def _success(case: Case, value: dict, when: str) -> tuple[str, str] | None:
    """Return (reason, what is wrong) after a call that must go well, or None."""
    running, contents, free = _before(case)
    request = case["request"]
    if value["error"] is not None:
        return "refuses", f"{when} raised {value['error']}, and there was room."
    slot = value["slot"].get(request)
    if slot is None or slot != running.get(request, slot) or slot not in (*free, running.get(request)):
        return "wrong-slot", f"{request} should have a slot of its own, and has {slot!r}."
    added = [old + new for old, new in zip(contents.get(request, [[]] * case["layers"]), case["rows"], strict=True)]
    found = value["contents"][request]
    if found != added:
        if found == contents.get(request):
            return ("untouched" if case.visible else "wrong-rows"), f"{request} reads what it read before, {found}."
        old = request not in running and found and found[0][-len(case["rows"][0]):] == case["rows"][0]
        return "old-length" if old else "wrong-rows", f"{request} should read {added}, and reads {found}."
    if {**running, request: slot} != value["slot"]:
        return "touches-others", f"slots are {value['slot']}, and before they were {running}."
    others = {name: rows for name, rows in value["contents"].items() if name != request}
    if others != {name: rows for name, rows in contents.items() if name != request}:
        return "touches-others", "another request's numbers have changed."
    if value["free"] != [each for each in free if each != slot]:
        return "slot-lost", f"free slots are {value['free']}."
    return None


def _case(draw: random.Random, label: str, request: str, layers: int = 2, num_slots: int = 3, count: int = 1,
          fails_at: int = 0, error: str = "OutOfMemory", meanwhile: str = "", after_writing: bool = False,
          uneven: bool = False, visible: bool = False) -> Case:
    """Return a case: ann and ben run with two numbers a layer, and somebody has left three in slot 2.

    uneven: ann has only one in every second layer.
    """
    rows = [[draw.randrange(10, 99) for _ in range(count)] for _ in range(layers)]
    old = [[draw.randrange(10, 99) for _ in range(3)] for _ in range(layers)]
    anns = [numbers[: 2 - uneven * (n % 2)] for n, numbers in enumerate(old)]
    guests = [[RUNNING, anns], [NEIGHBOUR, [numbers[1:] for numbers in old]]]
    guests += [["", old]] if num_slots > 2 else []
    return Case(label, {"layers": layers, "num_slots": num_slots, "capacity": 8, "guests": guests, "rows": rows,
                        "request": request, "fails_at": fails_at, "error": error, "meanwhile": meanwhile,
                        "after_writing": after_writing}, visible)


EXERCISE = AllOrNothing()
