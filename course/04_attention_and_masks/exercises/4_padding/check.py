"""Exercise 04.4: padding and causality joined in one boolean table, without an empty row."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from sharedstate.checks.tensors import TensorFunction, indexed
from sharedstate.checks.types import Case, Verdict

T, F = True, False


class TwoMasksOneTable(TensorFunction):
    """The answer is who_may_look(tokens [B, kv_len], q_len) -> [B, 1, q_len, kv_len], True = may look."""

    id = "04.4"
    title = "Two masks, one table"
    answer = "who_may_look"
    minutes = 12
    difficulty = 2
    points = 2.0
    forms = MappingProxyType({"table": ("tokens", "q_len")})
    dtypes = MappingProxyType({"tokens": "bool"})
    result = "the table"
    seconds = 10.0

    def cases(self, seed: int) -> list[Case]:
        """Right padding, none, left padding (empty rows), both together, fewer queries, only padding."""
        draw = self.draw(seed)
        left, right = draw.randrange(2, 4), draw.randrange(1, 3)
        batch = [[F] * left + [T] * (6 - left), [T] * 6, [T] * (6 - right) + [F] * right]
        return [
            Case("padded at the right", {"tokens": [[T, T, F]], "q_len": 3}, visible=True),
            Case("padded at the left", {"tokens": [[F, T, T]], "q_len": 3}),
            Case("nothing padded", {"tokens": [[T] * 5], "q_len": 5}),
            Case("three queries, seven keys", {"tokens": [[T] * 7, [T] * 5 + [F, F]], "q_len": 3}),
            Case("one query, six keys", {"tokens": [[F, F, T, T, T, T]], "q_len": 1}),
            Case("left, none and right in one batch", {"tokens": batch, "q_len": 6}),
            Case("left padding, four queries of six", {"tokens": [[F] * 4 + [T, T]], "q_len": 4}),
            Case("a long row", {"tokens": [[F] * 9 + [T] * 11], "q_len": 18}),
            Case("three hundred keys", {"tokens": [[F] * 297 + [T] * 3], "q_len": 5}),
            Case("as many tokens in each row, at other places", {"tokens": [[F, T, T], [T, F, T], [T, T, F]], "q_len": 3}),
            Case("one query with nothing but padding", {"tokens": [[F] * 4, [T] * 4], "q_len": 1}),
            Case("one query, nothing padded", {"tokens": [[T] * 3], "q_len": 1}),
            Case("one place", {"tokens": [[T], [F]], "q_len": 1}),
            Case("padding in the middle, and a row that begins late",
                 {"tokens": [[T, T, F, T], [F, F, F, T]], "q_len": 4}),
            Case("one row is nothing but padding", {"tokens": [[T, T, T, T], [F] * 4], "q_len": 4}),
        ]

    def wanted_form(self, case: Case) -> tuple[list[int], str]:
        """One table a row of the batch."""
        tokens = case["tokens"]
        return [len(tokens), 1, case["q_len"], len(tokens[0])], "bool"

    def numbers(self, case: Case, value: dict[str, Any], shape: list[int]) -> Verdict:
        """Polarity, then the first wrong cell by what is wrong with it."""
        tokens, q_len = case["tokens"], case["q_len"]
        cells = [(at, found, _wanted(tokens, q_len, at)) for at, found in indexed(value["table"], shape)]
        if all(found is not wanted for _, found, wanted in cells):
            message = f"Case '{case.label}': True should mean *may look*. Yours is the opposite."
            return self.wrong("inverted", message)
        wrong = [(at, wanted) for at, found, wanted in cells if found is not wanted]
        if wrong:
            return self._cell(case, *wrong[0])
        return self.right("One table: the past, without padding, and nobody left with nothing.")

    def _cell(self, case: Case, at: tuple[int, ...], wanted: bool) -> Verdict:
        row, _, query, key = at
        tokens = case["tokens"][row]
        own = query + len(tokens) - case["q_len"]
        where = f"Case '{case.label}': row {row}, query {query}, key {key} "
        if wanted and not tokens[key]:
            message = f"{where}should be open: that query has nothing else to look at."
            return self.wrong("empty-row", message)
        if wanted and case["q_len"] < len(tokens):
            message = f"{where}should be open: counted from the bottom right, the query is at {own}."
            return self.wrong("top-left", message)
        if wanted:
            message = f"{where}should be open: a token, and not later than the query."
            return self.wrong("loses-the-past", message)
        if key > own:
            return self.wrong("sees-the-future", f"{where}is open, and it is later than the query.")
        return self.wrong("sees-padding", f"{where}is open, and there is no token.")


def _wanted(tokens: list[list[bool]], q_len: int, at: tuple[int, ...]) -> bool:
    """Return whether a cell should be open."""
    row, _, query, key = at
    own = query + len(tokens[row]) - q_len
    if any(tokens[row][: own + 1]):
        return key <= own and tokens[row][key]
    return key == own


EXERCISE = TwoMasksOneTable()
