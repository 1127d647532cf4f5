"""Exercise 07.1: which places of a recycled slot may a query read?"""

from __future__ import annotations

import random
from types import MappingProxyType
from typing import Any

from sharedstate.checks.tensors import TensorFunction, index
from sharedstate.checks.types import Case, Verdict

ANYTHING = "whatever the numbers are"
Mask = list[list[list[bool]]]


class OnlyWhatIsValid(TensorFunction):
    """The answer is may_read(pool, slots, lengths, q_len) -> boolean [rows, q_len, capacity]."""

    id = "07.1"
    title = "Only what is valid"
    answer = "may_read"
    minutes = 10
    difficulty = 1
    points = 2.0
    forms = MappingProxyType({name: ("pool", "slots", name, "q_len") for name in ("lengths", "others")})
    dtypes = MappingProxyType(dict.fromkeys(("pool", "slots", "lengths", "others"), "int64"))
    result = "the mask"

    def cases(self, seed: int) -> list[Case]:
        """Rows that happen to be slots first; then recycled slots, zeros that are values, and other shapes."""
        draw = self.draw(seed)
        wide = draw.randrange(260, 330)  # beyond what a byte counts
        return [
            Case("two rows, one step", {**_inputs([[10, 11, 12, 0], [20, 21, 0, 0]], [0, 1], [3, 2], 1),
                                        "others": [3, 2]}, visible=True),
            Case("a recycled slot", _pool(draw, 2, 6, [0, 1], [2, 4], 1)),
            Case("zeros are values", _inputs([[0, 11, 0, 0], [20, 0, 22, 7], [5, 5, 5, 5]], [0, 1, 2], [3, 2, 1], 1)),
            Case(ANYTHING, _inputs([[-7.0, 1e30, 0.5, -0.0], [0.25, -1e30, -1.0, 3.0]], [1, 0], [4, 3], 2)),
            Case("rows are not slots", _pool(draw, 5, 7, [3, 0, 4], [6, 2, 5, 1, 3], 1)),
            Case("one row of many slots", _pool(draw, 4, 5, [2], [5, 1, 4, 2], 1)),
            Case("three queries", _pool(draw, 3, 8, [1, 2], [8, 5, 7], 3)),
            Case("a whole prompt", _pool(draw, 2, 6, [1], [1, 4], 4)),
            Case("a long prompt", _pool(draw, 3, 140, [2], [9, 140, 135], 130)),
            Case("many rows", _pool(draw, 12, 3, draw.sample(range(12), 11), draw.choices((1, 2, 3), k=12), 1)),
            Case("one place", _pool(draw, 2, 1, [1, 0], [1, 1], 1)),
            Case("a wide pool", _pool(draw, 3, wide, [2, 0], [wide - 1, 4, wide], 2)),
        ]

    def dtype_of(self, case: Case, name: str) -> str:
        """Whole numbers, but for the pool in which anything may lie."""
        return "float32" if name == "pool" and case.label == ANYTHING else "int64"

    def wanted_form(self, case: Case) -> tuple[list[int], str]:
        """A row of the mask for each query of each row."""
        return [len(case["slots"]), case["q_len"], len(case["pool"][0])], "bool"

    def numbers(self, case: Case, value: dict[str, Any], shape: list[int]) -> Verdict:
        """Place by place."""
        for form, (_, _, lengths, _) in self.forms.items():
            wanted = _flat(_truth(case, case[lengths]))
            if value[form]["data"] != wanted:
                return self._mismatch(case, lengths, value[form]["data"], wanted, shape)
        return self.right("Exactly what each request has written itself, and no place more.")

    def _mismatch(self, case: Case, name: str, found: list, wanted: list, shape: list[int]) -> Verdict:
        flat = next(n for n, pair in enumerate(zip(found, wanted, strict=True)) if pair[0] != pair[1])
        row, query, place = index(flat, shape)
        slot = case["slots"][row]
        length = case[name][slot]
        verb = "reads" if found[flat] else "does not read"
        said = (f"Case '{case.label}': row {row}, query {query} {verb} place {place} of slot {slot}, "
                f"whose valid length is {length}.")
        if len(case["lengths"]) >= shape[0] and found == _flat(_rows_as_slots(case, case[name])) != wanted:
            return self.wrong("row-is-not-slot", f"{said} Row {row} lives in slot {slot}: ask that slot's length.")
        if found == _flat(_content(case)):
            return self.wrong("guesses-from-content", f"{said} Zero is a value like any other, and stale is not zero.")
        if found[flat] and place >= length:
            return self.wrong("reads-stale", f"{said} What lies there was left by somebody else.")
        if found[flat]:
            own = length - case["q_len"] + query
            return self.wrong("sees-the-future", f"{said} This query stands at place {own}.")
        return self.wrong("loses-the-past", f"{said} That is its own, and not later than itself.")


def _truth(case: Case, lengths: list[int]) -> Mask:
    """Return the right mask."""
    places = range(len(case["pool"][0]))
    return [[[place <= lengths[slot] - case["q_len"] + query for place in places] for query in range(case["q_len"])]
            for slot in case["slots"]]


def _rows_as_slots(case: Case, lengths: list[int]) -> Mask:
    """Return the mask of somebody who takes the row's number for the slot's."""
    return _truth(Case("", {**case.inputs, "slots": list(range(len(case["slots"])))}), lengths)


def _content(case: Case) -> Mask:
    """Return the mask of somebody who takes what is not zero for valid."""
    return [[[number != 0 for number in case["pool"][slot]] for _ in range(case["q_len"])] for slot in case["slots"]]


def _flat(mask: Mask) -> list[bool]:
    return [cell for row in mask for query in row for cell in query]


def _inputs(pool: list, slots: list[int], lengths: list[int], q_len: int) -> dict[str, object]:
    """Return a case's inputs; `others` are lengths for a second call, one place shorter where that can be."""
    others = [max(q_len, length - 1) for length in lengths]
    return {"pool": pool, "slots": slots, "lengths": lengths, "others": others, "q_len": q_len}


def _pool(draw: random.Random, num_slots: int, capacity: int, slots: list[int], lengths: list[int],
          q_len: int) -> dict[str, object]:
    """Return inputs with a pool full of small numbers, none of them zero: everything old is still there."""
    pool = [[draw.randrange(1, 9) + 10 * slot for _ in range(capacity)] for slot in range(num_slots)]
    return _inputs(pool, slots, lengths, q_len)


EXERCISE = OnlyWhatIsValid()
