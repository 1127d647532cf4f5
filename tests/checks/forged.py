"""What the tests of the checks of several units make: an answer out of a bank, and values with one thing changed."""

from __future__ import annotations

from collections.abc import Iterator

from sharedstate.checks.audit import Bank


def first_right(bank: Bank) -> object:
    """The first right answer of an exercise's bank."""
    space: dict[str, object] = {}
    exec(compile(bank.right[0].source, "right.py", "exec"), space)
    return space[bank.exercise.answer]


def variations(value: object) -> Iterator[object]:
    """Every copy of plain data in which one leaf is another one."""
    if type(value) is dict:
        for key in value:
            yield from ({**value, key: changed} for changed in variations(value[key]))
    elif type(value) is list:
        for place in range(min(len(value), 60)):
            yield from ([*value[:place], changed, *value[place + 1 :]] for changed in variations(value[place]))
    else:
        yield not value if type(value) is bool else [value]
