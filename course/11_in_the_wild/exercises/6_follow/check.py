"""Exercise 11.6: when beams move, everything that has an entry for each beam follows, as a copy."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict, is_record
from sharedstate.checks.values import PlainFunction, SlipTable

MARK = "written later"
Kept = dict[str, Any]


def right_follow(kept: Kept, parents: list[int]) -> Kept:
    """Return what the answer should."""
    return {name: _moved(one, parents) for name, one in kept.items()}


def _moved(one: Any, parents: list[int]) -> Any:
    if isinstance(one, dict):
        return right_follow(one, parents)
    if isinstance(one, list) and len(one) == len(parents):
        return [copy.deepcopy(one[parent]) for parent in parents]
    return copy.deepcopy(one)


def _in_place(one: Any, parents: list[int]) -> Any:
    """Move the entries of a list one after the other, each in the list that is being changed."""
    if isinstance(one, dict):
        return {name: _in_place(inner, parents) for name, inner in one.items()}
    if isinstance(one, list) and len(one) == len(parents):
        one = copy.deepcopy(one)
        for i, parent in enumerate(parents):
            one[i] = copy.deepcopy(one[parent])
    return one


def rows_of(kept: Any) -> Iterator[list]:
    """Yield every list of lists in it, at any depth of dictionaries."""
    if isinstance(kept, dict):
        for one in kept.values():
            yield from rows_of(one)
    elif isinstance(kept, list) and kept and all(isinstance(row, list) for row in kept):
        yield kept


class Follow(PlainFunction, SlipTable):
    """The answer is follow(kept, parents) -> what the new beams keep."""

    id = "11.6"
    title = "Everything follows its beam"
    answer = "follow"
    minutes = 10
    difficulty = 2
    points = 2.0
    given = ("kept", "parents")
    from_outside = False  # whether two beams share a row can only be seen where they lie
    slips = MappingProxyType({
        "two states": ("one-name", "every list with an entry for each beam follows, whatever its name."),
        "scores": ("rows-alone", "a list of numbers with an entry for each beam follows, too."),
        "something else": ("moves-too-much", "a list with another length, a number, a text, None: they stay as they "
                                             "are."),
        "layers": ("flat", "a dictionary may hold states, one a layer, and dictionaries again."),
        "a swap": ("half-moved", "row i comes from the old row parents[i]: take it from the old list, not from the one "
                                 "that you are changing."),
        "nobody moves": ("half-moved", "each beam is its own parent: the same contents, as copies."),
        "one beam": ("half-moved", "one beam, one entry."),
        "no state": ("moves-too-much", "nothing is kept: an empty dictionary."),
    })

    def cases(self, seed: int) -> list[Case]:
        """The lab's example, then one case a slip."""
        draw = self.draw(seed)
        parents = draw.choice([[2, 0, 0], [1, 2, 2], [2, 2, 1]])
        a, b, c = draw.sample(range(10, 99), 3)
        past, more = [["a"], ["b"], ["c"]], [[a, a], [b, b], [c, c]]
        return [
            _case("two states", {"past": past, "length": 1}, [2, 0, 0], visible=True),
            _case("two states", {"past": past, "cache": more}, parents),
            _case("scores", {"past": past, "scores": [0.5, 0.25, 0.125]}, parents),
            _case("something else", {"past": past, "stop": [a, b], "name": "abc", "mask": None, "wide": [[a], [b]]},
                  parents),
            _case("layers", {"layers": {"0": {"k": past, "v": more}, "1": {"k": more}}, "scores": [a, b, c]}, parents),
            _case("a swap", {"past": [*past, ["d"]], "cache": [[n] for n in (a, b, c, 1)]}, [3, 2, 1, 0]),
            _case("nobody moves", {"past": past, "cache": more}, [0, 1, 2]),
            _case("one beam", {"past": [["a", b]], "scores": [c]}, [0]),
            _case("no state", {}, parents),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Call it, then write into each row in turn: nobody else's may change."""
        found = self.called(answer, case)
        if not isinstance(found, dict):
            raise AnswerProblem("wrong-shape", f"follow should return a dictionary, not {type(found).__name__}.")
        return {"kept": found, "shared": sum(map(_shared, rows_of(copy.deepcopy(found))))}  # a copy shares alike

    def judge(self, case: Case, value: object) -> Verdict:
        """Everything moved, nothing shared."""
        if not is_record(value, ("kept", "shared")) or type(value["shared"]) is not int:
            return self.unseen()
        before = f"Case '{case.label}': "
        kept, parents = case["kept"], case["parents"]
        if value["kept"] != right_follow(kept, parents):
            if value["kept"] == kept:
                return self.wrong("nothing-moves", before + "everything is as it was. Who takes the new rows?")
            if value["kept"] == _in_place(kept, parents):
                return self.wrong("half-moved", before + self.slips["a swap"][1])
            return self.slip(case, before=before)
        if value["shared"]:
            said = "two beams with one parent share a row: what one of them appends, the other one reads. Copy it."
            return self.wrong("shares-a-row", before + said)
        return self.right("Every beam has a past of its own.")


def _shared(rows: list[list]) -> bool:
    """Say whether writing into one row shows in another one."""
    for row in rows:
        row.append(MARK)
    return any(row.count(MARK) > 1 for row in rows)


def _case(label: str, kept: Kept, parents: list[int], visible: bool = False) -> Case:
    return Case(label, {"kept": kept, "parents": parents}, visible)


EXERCISE = Follow()
