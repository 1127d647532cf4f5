"""Exercise 09.4: make room by preempting the newest requests, and lose nothing."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from sharedstate.checks.shown import shown_class
from sharedstate.checks.types import AnswerProblem, Case, Verdict, is_record
from sharedstate.checks.values import SlipTable

Server: Any = shown_class(__file__, "Server")
SERVERS = 2  # that are asked side by side
STATE = frozenset({"returned", "running", "waiting", "free", "ref_cnt", "requests"})
KEPT = ("tokens", "blocks", "computed", "sent")
MANY = 60  # blocks that never run out
WANT = 9  # tokens that each request wants in the end
Guest = tuple[str, int, int, str, int]  # name, length of its prompt, steps so far, whose blocks it shares, how many


class MakeRoom(SlipTable):
    """The answer is make_room(server, count) -> True or False."""

    id = "09.4"
    title = "Preempt without loss"
    answer = "make_room"
    minutes = 12
    difficulty = 3
    points = 3.0
    expects = "a function"
    judge_source = True  # from outside it cannot be asked: the server that it is given is changed in place
    slips = MappingProxyType({
        "three requests": ("wrong-victim", "the newest running request goes first."),
        "enough is free": ("too-many", "enough blocks are free already: nobody has to go."),
        "two must go": ("too-few", "it goes on until so many blocks are free."),
        "the newest is small": ("wrong-victim", "the newest goes first, not the one with the most blocks."),
        "not more than it must": ("too-many", "as soon as enough blocks are free, nobody else has to go."),
        "somebody waits already": ("wrong-queue", "a preempted request waits before all who wait already."),
        "a shared block": ("counts-shared", "a block that somebody else uses does not become free: count the blocks "
                                            "whose last reference goes."),
        "shared by those who go": ("counts-shared", "a block that only preempted ones share is free when the last of "
                                                    "them has dropped it."),
        "the oldest stays": ("takes-the-oldest", "the oldest running request is never preempted."),
        "cannot be had": ("changed-by-a-failure", "so many blocks cannot be had. Return False, and change nothing."),
        "cannot be had, for it is shared": ("counts-shared", "the blocks of those who may go are used by the oldest, "
                                                             "too: so many cannot be had."),
        "somebody has just come": ("wrong-victim", "the newest has no block yet. It goes first all the same."),
        "nobody runs": ("raises", "nobody runs: only what is free can be had."),
        "a full house": ("wrong-victim", "all of it at once."),
    })

    def cases(self, seed: int) -> list[Case]:
        """A server, its guests from the oldest to the newest, and how many blocks are wanted."""
        draw = self.draw(seed)
        three: list[Guest] = [("a", 4, 2, "", 0), ("b", 4, 3, "", 0), ("c", 3, 2, "", 0)]
        sharing: list[Guest] = [("a", 9, 1, "", 0), ("b", 9, 2, "a", 2), ("c", 5, 1, "", 0), ("d", 10, 3, "a", 2)]
        pair: list[Guest] = [("a", 5, 1, "", 0), ("b", 9, 2, "", 0), ("c", 9, 3, "b", 2)]
        full = [(name, draw.randrange(3, 9), draw.randrange(1, 6), "", 0) for name in "abcdef"]
        return [
            _case("three requests", 3, three, 2, 1, visible=True),
            _case("enough is free", 3, three, 2, 2),
            _case("enough is free", 3, three, 0, 0),
            _case("two must go", 3, three, 5, 1),
            _case("two must go", 3, three, 4, 0),
            _case("the newest is small", 3, [("a", 4, 1, "", 0), ("b", 9, 4, "", 0), ("c", 2, 1, "", 0)], 2, 1),
            _case("not more than it must", 3, [*three, ("d", 7, 1, "", 0)], 3, 0),
            _case("somebody waits already", 3, three, 4, 0, waiting="xy"),
            _case("a shared block", 4, sharing, 2, 0),
            _case("a shared block", 4, sharing, 4, 1),
            _case("shared by those who go", 4, pair, 4, 0),
            _case("the oldest stays", 3, three, 6, 0, waiting="x"),
            _case("cannot be had", 3, [("a", 9, 4, "", 0), ("b", 3, 2, "", 0)], 4, 1, waiting="x"),
            _case("cannot be had, for it is shared", 4, [("a", 9, 1, "", 0), ("b", 9, 2, "a", 2)], 2, 0),
            _case("somebody has just come", 3, [*three, ("d", 4, 0, "", 0)], 2, 0),
            _case("nobody runs", 3, [], 3, 2),
            _case("nobody runs", 3, [], 2, 2, waiting="x"),
            _case("a full house", 3, full, draw.randrange(3, 7), draw.randrange(3), waiting="x"),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Ask for room on two servers in turn; then, on each, let everybody come to the end."""
        both = [served(case) for _ in range(SERVERS)]
        found = [answer(server, case["count"]) for server, _ in both]
        seen = [_state(server, guests, returned) for (server, guests), returned in zip(both, found, strict=True)]
        return [{"state": state, "texts": _texts(server, guests)} for state, (server, guests)
                in zip(seen, both, strict=True)]

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare what is there after the call with what should be; then the texts."""
        if type(value) is not list or len(value) != SERVERS or not all(_readable(one) for one in value):
            return self.unseen("this server")
        before = _plain(*served(case), None)
        if all(one["state"] == before for one in value):
            return self.wrong("untouched", "make_room returns nothing yet, and changes nothing.")
        wanted, texts = right_state(case), _texts(*served(case))
        if any(one["state"]["requests"].keys() != wanted["requests"].keys() for one in value):
            return self.unseen("this server")
        for one in value:
            said = self._complaint(case, one["state"], wanted, before)
            if said:
                where = f"Case '{case.label}', {len(before['free'])} blocks free, make_room(server, {case['count']})"
                return self.wrong(said[0], f"{where}: {said[1]}")
            name = next((name for name, text in texts.items() if one["texts"].get(name) != text), None)
            if name is not None:
                return self.wrong("overwrites-keys", f"Case '{case.label}': in the end {name}'s client has "
                                                     f"{one['texts'].get(name)}, and should have {texts[name]}. "
                                                     "Keys that somebody reads were changed, or what is the client's.")
        return self.right("Whoever had to go comes back, and its client notices nothing.")

    def _complaint(self, case: Case, seen: dict, wanted: dict, before: dict) -> tuple[str, str] | None:
        """Return (reason, words) for what is wrong with a server after the call."""
        if type(seen["returned"]) is not bool:
            return "wrong-shape", f"it returned {seen['returned']!r}. Return True or False."
        here = [*seen["running"], *seen["waiting"]]
        lost = [name for name in seen["requests"] if name not in here]
        if lost:
            return "lost", f"{lost[0]} neither runs nor waits any more, so nobody will ever serve it again."
        if len(set(here)) < len(here):
            lists = f"running is {seen['running']} and waiting is {seen['waiting']}"
            return "twice-in-a-list", f"{lists}: somebody is there twice."
        if not wanted["returned"] and (seen["returned"] or {**seen, "returned": False} != wanted):
            why = "it returned True" if seen["returned"] else "something has changed"
            return self._label(case, seen, before, f"{why}, {seen['running']} run now: ")
        if sorted(seen["running"]) != sorted(wanted["running"]):
            now = f"{seen['running']} run now, and {wanted['running']} should: "
            return self._label(case, seen, before, now, more=set(seen["running"]) - set(wanted["running"]),
                               fewer=set(wanted["running"]) - set(seen["running"]))
        if seen["returned"] != wanted["returned"]:
            return self.slips[case.label][0], f"it returned {seen['returned']}: {self.slips[case.label][1]}"
        if seen["running"] != wanted["running"] or seen["waiting"] != wanted["waiting"]:
            return "wrong-queue", (f"running is {seen['running']} and waiting is {seen['waiting']}, and should be "
                                   f"{wanted['running']} and {wanted['waiting']}: the oldest first, and whoever was "
                                   "preempted before all who have not begun.")
        return _requests(seen, wanted) or _books(seen, wanted)

    def _label(self, case: Case, seen: dict, before: dict, now: str, more: set | None = None,
               fewer: set | None = None) -> tuple[str, str]:
        """Return (reason, words) for the wrong ones running: by who is missing, else by the case."""
        label = case.label
        if before["running"] and before["running"][0] not in seen["running"]:
            label = "the oldest stays"
        elif label == "the oldest stays":
            label = "cannot be had"
        elif self.slips[label][0] != "counts-shared" and fewer and not more:
            label = "not more than it must"
        elif self.slips[label][0] != "counts-shared" and more and not fewer:
            label = "two must go"
        reason, said = self.slips[label]
        return reason, f"{now}{said}"


def _requests(seen: dict, wanted: dict) -> tuple[str, str] | None:
    """Return (reason, words) for what is wrong with a request."""
    for name, should in wanted["requests"].items():
        request, gone = seen["requests"][name], name not in wanted["running"]
        if request["tokens"] != should["tokens"]:
            return "loses-tokens", (f"{name} had the tokens {should['tokens']}, and has {request['tokens']} now. They "
                                    "are all that cannot be computed again.")
        if request["sent"] != should["sent"]:
            return "sends-twice", (f"{name}'s client has {should['sent']} tokens, and `sent` is {request['sent']} now: "
                                   "it will get some again.")
        if gone and request["blocks"]:
            return "keeps-blocks", f"{name} was preempted and still names the blocks {request['blocks']}."
        if gone and request["computed"] != 0:
            return "keeps-computed", (f"{name} has no blocks any more, and `computed` is {request['computed']}: step "
                                      "believes that these keys are there.")
        if request != should:
            return "touches-others", f"{name} runs on, and was changed: {request}, not {should}."
    return None


def _books(seen: dict, wanted: dict) -> tuple[str, str] | None:
    """Return (reason, words) for what is wrong with the pool."""
    if len(set(seen["free"])) < len(seen["free"]):
        return "freed-twice", f"free is {seen['free']}: a block stands there twice, and will be given to two."
    if seen["ref_cnt"] != wanted["ref_cnt"] or seen["free"] != wanted["free"]:
        stolen = [block for block in seen["free"] if block not in wanted["free"]]
        if stolen:
            return "frees-shared", f"block {stolen[0]} is free, and somebody who runs still reads it. Use server.drop."
        return "blocks-lost", (f"free is {seen['free']} and ref_cnt {seen['ref_cnt']}, and should be {wanted['free']} "
                               f"and {wanted['ref_cnt']}: what is given back is dropped once.")
    return None


# --- a server as a case describes it


def served(case: Case) -> tuple[Any, dict[str, dict]]:
    """Return a server in the middle of its work, and its requests by name."""
    size, guests = case["size"], case["guests"]
    server: Any = Server(1 + MANY, size)
    requests: dict[str, dict] = {}
    for name, length, steps, other, shared in guests:
        blocks = requests[other]["blocks"][:shared] if other else []
        prompt = [*requests[other]["tokens"][: shared * size]] if other else []
        prompt += [(ord(name) * 7 + place * place) % 50 for place in range(len(prompt), length)]
        requests[name] = _request(name, prompt, list(blocks), shared * size)
        for block in blocks:
            server.ref_cnt[block] += 1
        server.running.append(requests[name])
        for _ in range(steps):
            server.step(requests[name])
    for name in case["waiting"]:
        requests[name] = _request(name, [ord(name) % 50, 5], [], 0)
        server.waiting.append(requests[name])
    del server.free[case["free"]:]
    return server, requests


def _request(name: str, prompt: list[int], blocks: list[int], computed: int) -> dict[str, Any]:
    return {"name": name, "tokens": prompt, "prompt_length": len(prompt), "blocks": blocks, "computed": computed,
            "sent": 0, "client": []}


def _plain(server: Any, requests: dict[str, dict], returned: object) -> dict[str, Any]:
    kept = {name: {key: request[key] for key in KEPT} for name, request in _current(server, requests).items()}
    return {"returned": returned, "running": [one["name"] for one in server.running],
            "waiting": [one["name"] for one in server.waiting], "free": sorted(server.free),
            "ref_cnt": list(server.ref_cnt),
            "requests": {name: {key: list(x) if type(x) in (list, tuple) else x for key, x in one.items()}
                         for name, one in kept.items()}}


def _current(server: Any, requests: dict[str, dict]) -> dict[str, dict]:
    """Return the requests by name as the server has them: an answer may have put a copy in one's place."""
    return {**requests, **{one["name"]: one for one in (*server.running, *server.waiting)}}


def _state(server: Any, requests: dict[str, dict], returned: object) -> dict[str, Any]:
    """Return plain data. Raises AnswerProblem("wrong-shape") where a list or a request is none any more."""
    try:
        return _plain(server, requests, returned)
    except (TypeError, KeyError, AttributeError) as problem:
        what = f"{type(problem).__name__}: {problem}"
        said = f"After the call the server's lists, or a request, are not what they were: {what}"
        raise AnswerProblem("wrong-shape", said) from None


def _texts(server: Any, requests: dict[str, dict]) -> dict[str, object]:
    """Let everybody come to the end, with blocks enough; return what each client has got, {} where that failed."""
    server.free += range(len(server.data), len(server.data) + MANY)
    server.data += [[0] * server.size for _ in range(MANY)]
    server.ref_cnt += [0] * MANY
    for request in [*server.running, *server.waiting]:
        try:
            while len(request["client"]) < WANT:
                server.step(request)
        except Exception:  # what has gone wrong stands in the state
            return {}
    return {name: list(request["client"]) for name, request in _current(server, requests).items()}


def right_state(case: Case) -> dict[str, Any]:
    """Return what should be there after the call."""
    server, requests = served(case)
    uses, goes = {one["name"]: set(one["blocks"]) for one in server.running}, list[dict]()

    def free_then() -> int:
        left = [uses[one["name"]] for one in server.running if one not in goes]
        return len(server.free) + len(set().union(*uses.values()) - set().union(*left))

    while free_then() < case["count"] and len(goes) < len(server.running) - 1:
        goes.append(server.running[-1 - len(goes)])
    enough = free_then() >= case["count"]
    if enough:
        server.running = [one for one in server.running if one not in goes]
        server.waiting = [*reversed(goes), *server.waiting]
        for one in goes:
            for block in one["blocks"]:
                server.drop(block)
            one["blocks"], one["computed"] = [], 0
    return _plain(server, requests, enough)


def _readable(one: object) -> bool:
    """True for what `run` sends of one server."""
    if not is_record(one, ("state", "texts")) or not is_record(one["state"], STATE):
        return False
    state = one["state"]
    kinds = {"running": str, "waiting": str, "free": int, "ref_cnt": int}
    if any(type(state[key]) is not list or any(type(x) is not kind for x in state[key]) for key, kind in kinds.items()):
        return False
    if type(state["requests"]) is not dict or type(one["texts"]) is not dict:
        return False
    return all(is_record(request, KEPT) for request in state["requests"].values())


def _case(label: str, size: int, guests: list[Guest], count: int, free: int, waiting: str = "",
          visible: bool = False) -> Case:
    given = {"size": size, "guests": [list(guest) for guest in guests], "count": count, "free": free,
             "waiting": list(waiting)}
    return Case(label, given, visible)


EXERCISE = MakeRoom()
