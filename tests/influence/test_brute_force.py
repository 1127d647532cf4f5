"""The matrix of threads against an independent count: every order of the accesses, in a few plain lines."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest

from sharedstate import influence

WORDS = ("s3cret", "guess")


def orders(steps: int) -> Iterator[tuple[int, ...]]:
    """Every interleaving of two threads with this many steps each, as thread numbers."""
    for chosen in itertools.combinations(range(2 * steps), steps):
        yield tuple(0 if place in chosen else 1 for place in range(2 * steps))


def racy(order: tuple[int, ...], words: tuple[str, str]) -> tuple[bool, bool]:
    """Write the board, read it, write the result, read it."""
    state, seen, step = {"board": "", "result": False}, ["", ""], [0, 0]
    for who in order:
        if step[who] == 0:
            state["board"] = words[who]
        elif step[who] == 1:
            seen[who] = state["board"]
        elif step[who] == 2:
            state["result"] = seen[who] == "s3cret"
        else:
            seen[who] = state["result"]
        step[who] += 1
    return seen[0], seen[1]


def half(order: tuple[int, ...], words: tuple[str, str]) -> tuple[bool, bool]:
    """Write the shared result, read it: the half fix without a board."""
    result, seen, step = False, [False, False], [0, 0]
    for who in order:
        if step[who] == 0:
            result = words[who] == "s3cret"
        else:
            seen[who] = result
        step[who] += 1
    return seen[0], seen[1]


def asymmetric(order: tuple[int, ...], words: tuple[str, str]) -> tuple[bool, bool]:
    """The first writes and does not look, the second only looks."""
    board, seen, step = "", [False, False], [0, 0]
    for who in order:
        if who == 0 and step[0] == 0:
            board, seen[0] = words[0], words[0] == "s3cret"
        elif who == 1 and step[1] == 0:
            seen[1] = board == words[1]
        step[who] += 1
    return seen[0], seen[1]


class Board:
    """What the three models describe, as a learner writes it."""

    def __init__(self) -> None:
        self.board, self.result = "", False

    def racy(self, word: str) -> bool:
        self.board = word
        self.result = self.board == "s3cret"
        return self.result

    def half(self, word: str) -> bool:
        self.result = word == "s3cret"
        return self.result

    def write(self, word: str) -> bool:
        self.board = word
        return word == "s3cret"

    def look(self, word: str) -> bool:
        return self.board == word


def expected(model: Callable, steps: int) -> tuple[tuple[bool, ...], ...]:
    """For both answers: is there influence of the first word, the second word, the schedule?"""
    table = []
    for row in (0, 1):
        sets = {
            pair: {model(order, pair)[row] for order in orders(steps)}
            for pair in itertools.product(WORDS, repeat=2)
        }
        first = any(sets["s3cret", other] != sets["guess", other] for other in WORDS)
        second = any(sets[other, "s3cret"] != sets[other, "guess"] for other in WORDS)
        table.append((first, second, any(len(found) > 1 for found in sets.values())))
    return tuple(table)


@pytest.mark.parametrize(
    ("model", "steps", "first", "second"),
    [(racy, 4, Board.racy, Board.racy), (half, 2, Board.half, Board.half),
     (asymmetric, 1, Board.write, Board.look)],
    ids=["racy", "half", "asymmetric"],
)  # fmt: skip
def test_the_matrix_equals_an_independent_count(
    model: Callable, steps: int, first: Callable, second: Callable
) -> None:
    found = influence.threads(Board, {"a": first, "b": second}, {"a": WORDS, "b": WORDS}, must=())
    assert tuple(tuple(state == "leak" for state in row) for row in found.states) == expected(model, steps)
    assert found.unknown == () and set(found.witnesses) == set(found.leaks)
    for (row, column), witness in found.witnesses.items():
        assert witness.replay().answers[row] == witness.trace.answers[row], column


def test_the_models_differ_as_they_should() -> None:
    assert expected(racy, 4) == ((True, True, True), (True, True, True))
    assert expected(asymmetric, 1) == ((True, False, False), (True, True, True))
