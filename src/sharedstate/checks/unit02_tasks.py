"""Exercise 02.3: a store whose grain is the task."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from sharedstate.checks.types import Case, Exercise, Verdict
from sharedstate.checks.unit02_explore import explored, readable, schedule_of

if TYPE_CHECKING:
    from sharedstate.interleave import Scenario

WORDS = ("apple", "birch", "cedar", "daisy", "elder", "fern")
SAYS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "one task": ("forgets", "A task that is alone puts a value and gets another one back, even after an await."),
    "read twice": ("forgets", "The second get() of a task should still give what it put."),
    "two tasks": ("sees-neighbour", "A task got what its neighbour had put."),
    "three tasks": ("sees-neighbour", "A task got what a neighbour had put."),
    "a task that puts nothing": ("not-empty", "A task that never put anything should get None, whoever is beside it."),
    "put twice": ("keeps-the-first", "A task that puts a second value should get the second one back."),
    "two stores": ("stores-mix", "Two stores are two things: what was put into one came out of the other."),
})


class GrainForTasks(Exercise):
    """The answer is a class with put(value) and get(); each task has its own value."""

    id = "02.3"
    title = "The right grain for tasks"
    answer = "TaskStore"
    minutes = 10
    difficulty = 2
    points = 2.0
    expects = "a class"
    seconds = 20.0
    judge_source = True
    imports = ("asyncio", "contextvars", "threading", "weakref", "dataclasses")

    def cases(self, seed: int) -> list[Case]:
        """One for each way to have the wrong grain, with words drawn from the seed."""
        draw = random.Random(f"02.3:{seed}")
        return [Case(label, {"kind": label, "words": draw.sample(WORDS, 3)}, visible=label == "one task")
                for label in SAYS]

    def run(self, answer: object, case: Case) -> object:
        """Let tasks use the store in every order."""
        return explored(rooms(answer, list(case["words"]))[case["kind"]]())

    def judge(self, case: Case, value: object) -> Verdict:
        """Proved or not."""
        if not readable(value):
            return self.wrong("wrong-shape", "Nothing could be seen of this store.")
        if value["verdict"] == "proved":
            return self.right("Each task has its own value, in every order.")
        reason, said = SAYS[case.label]
        if value["verdict"] != "broken":
            return self.wrong("not-proved", f"Case '{case.label}' could not be proved: {value['verdict']}.")
        return self.wrong(reason, said, schedule=schedule_of(value))


def rooms(store: type, words: list[str]) -> Mapping[str, object]:
    """Return for each case a function that makes its scenario."""
    one, two, three = words
    return {
        "one task": lambda: _room(store, {"ann": _visits(one)}, {"ann": [one]}),
        "read twice": lambda: _room(store, {"ann": _visits(one, reads=2)}, {"ann": [one, one]}),
        "two tasks": lambda: _room(store, {"ann": _visits(one), "ben": _visits(two)}, {"ann": [one], "ben": [two]}),
        "three tasks": lambda: _room(
            store, {"ann": _visits(one), "ben": _visits(two), "cy": _visits(three)},
            {"ann": [one], "ben": [two], "cy": [three]}),
        "a task that puts nothing": lambda: _room(store, {"ann": _visits(one), "guest": _visits(None)},
                                                  {"ann": [one], "guest": [None]}),
        "put twice": lambda: _room(store, {"ann": _twice(one, two), "ben": _visits(three)},
                                   {"ann": [two], "ben": [three]}),
        "two stores": lambda: _room(lambda: (store(), store()), {"ann": _both(one, two)}, {"ann": [one, two]}),
    }


def _room(setup: object, calls: Mapping[str, object], wanted: Mapping[str, list]) -> Scenario:
    from sharedstate.interleave import Scenario

    return Scenario(setup, calls, never=lambda store, answers: dict(answers) != wanted)


def _visits(word: str | None, reads: int = 1) -> object:
    """A task that puts a word (None: nothing), waits, and gets."""

    async def visit(store: object) -> list:
        if word is not None:
            store.put(word)
        await asyncio.sleep(0)
        return [store.get() for _ in range(reads)]

    return visit


def _twice(first: str, second: str) -> object:
    async def visit(store: object) -> list:
        store.put(first)
        await asyncio.sleep(0)
        store.put(second)
        await asyncio.sleep(0)
        return [store.get()]

    return visit


def _both(first: str, second: str) -> object:
    async def visit(stores: tuple) -> list:
        stores[0].put(first)
        stores[1].put(second)
        await asyncio.sleep(0)
        return [stores[0].get(), stores[1].get()]

    return visit
