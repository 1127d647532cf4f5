"""Exercise 02.3: a store whose grain is the task."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from sharedstate.checks.among import inner
from sharedstate.checks.scenarios import Explored, explored, require_methods
from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.interleave import Scenario

WORDS = ("apple", "birch", "cedar", "daisy", "elder", "fern")
ROUNDS = 12
EMPTY = (0, "", False, None, 0.0)  # values that are easily taken for nothing
SAYS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "one task": ("forgets", "A task that is alone puts a value and gets another one back, even after an await."),
    "read twice": ("forgets", "The second get() of a task should still give what it put."),
    "two tasks": ("sees-neighbour", "A task got what its neighbour had put."),
    "three tasks": ("sees-neighbour", "A task got what a neighbour had put."),
    "a task that puts nothing": ("not-empty", "A task that never put anything should get None, whoever is beside it."),
    "put twice": ("keeps-the-first", "A task that puts a second value should get the second one back."),
    "two stores": ("stores-mix", "Two stores are two things: what was put into one came out of the other."),
    "empty values": ("value-changed", f"A task puts {', '.join(map(repr, EMPTY))} in turn, and should get each back as "
                                      "it is."),
    "one after the other": ("outlives-its-task", "A task that never put anything got what an earlier task had put, one "
                                                 "that has ended long ago. Its number may be given to a new task."),
})


class GrainForTasks(Explored):
    """The answer is a class with put(value) and get(); each task has its own value."""

    id = "02.3"
    title = "The right grain for tasks"
    answer = "TaskStore"
    minutes = 10
    difficulty = 2
    points = 2.0
    expects = "a class"
    seconds = 8.0
    judge_source = True
    imports = ("asyncio", "contextvars", "threading", "weakref", "dataclasses")

    def cases(self, seed: int) -> list[Case]:
        """One for each way to have the wrong grain, with words drawn from the seed."""
        draw = self.draw(seed)
        return [Case(label, {"kind": label, "words": draw.sample(WORDS, 3)}, visible=label == "one task")
                for label in SAYS]

    def run(self, answer: Any, case: Case) -> object:
        """Let real tasks use the store in every order; the explorer words an order that goes wrong."""
        require_methods(answer, "put", "get")
        if any(inspect.iscoroutinefunction(getattr(answer, name)) for name in ("put", "get")):
            raise AnswerProblem("wrong-shape", "put() and get() are plain methods: `def`, not `async def`.")
        if case["kind"] == "one after the other":
            return _told(asyncio.run(_generations(answer, case["words"][0])))
        setup, calls, wanted = rooms(answer, list(case["words"]))[case["kind"]]
        if asyncio.run(_every_order(setup, calls, wanted)):
            return _told(True)
        if inner(answer.put) is not answer.put:  # among others: the explorer would follow their steps as well
            return _told(False)
        return {**_told(False), "schedule": _schedule(setup, calls, wanted)}

    def judge(self, case: Case, value: object) -> Verdict:
        """Proved or not."""
        slip = (*SAYS[case.label], 0.0)
        return self.by_verdict(value, "Each task has its own value, in every order.", {}, slip, "this store")


def rooms(store: type, words: list[str]) -> Mapping[str, tuple[Callable, Mapping[str, Callable], Mapping[str, list]]]:
    """Return for each case: how to make the state, what the tasks do, and what they should get."""
    one, two, three = words
    ann = {"ann": _visits(one)}
    return {
        "one task": (store, ann, {"ann": [one]}),
        "read twice": (store, {"ann": _visits(one, reads=2)}, {"ann": [one, one]}),
        "two tasks": (store, {**ann, "ben": _visits(two)}, {"ann": [one], "ben": [two]}),
        "three tasks": (store, {**ann, "ben": _visits(two), "cy": _visits(three)},
                        {"ann": [one], "ben": [two], "cy": [three]}),
        "a task that puts nothing": (store, {**ann, "guest": _visits(None)}, {"ann": [one], "guest": [None]}),
        "put twice": (store, {"ann": _twice(one, two), "ben": _visits(three)}, {"ann": [two], "ben": [three]}),
        "two stores": (lambda: (store(), store()), {"ann": _both(one, two)}, {"ann": [one, two]}),
        "empty values": (store, {"ann": _empty}, {"ann": [*EMPTY]}),
    }


def _told(good: bool) -> dict[str, object]:
    return {"verdict": "proved" if good else "broken", "schedule": None, "answers": {}, "raised": None}


def _schedule(setup: Callable, calls: Mapping[str, Callable], wanted: Mapping[str, list]) -> str | None:
    """Return the order that goes wrong, in the explorer's words; None where it cannot follow the store."""
    try:
        room = Scenario(setup, calls, never=lambda store, answers: dict(answers) != wanted)
        return explored(room)["schedule"]
    except Exception:
        return None


async def _every_order(setup: Callable, calls: Mapping[str, Callable], wanted: Mapping[str, list]) -> bool:
    """Run the tasks in every order of their turns, on this loop: True when all get what they should.

    put() and get() hold no await, so that tasks change places between turns only. All tasks have one name. What a
    task raises that is alone is raised.
    """
    for order in orders(tuple(calls)):
        store, turns = setup(), [*order]
        tasks = [asyncio.create_task(_in_turn(name, call(store), turns), name="task") for name, call in calls.items()]
        got = await asyncio.gather(*tasks, return_exceptions=len(calls) > 1)
        if list(map(repr, got)) != [repr(wanted[name]) for name in calls]:
            return False
    return True


async def _in_turn(name: str, visit: Any, turns: list[str]) -> list:
    """Take the visit's steps when it is its turn; who has ended needs no more turns."""
    try:
        while True:
            while turns and turns[0] != name:
                await asyncio.sleep(0)
            visit.send(None)
            del turns[:1]
    except StopIteration as end:
        return end.value
    finally:
        turns[:] = [other for other in turns if other != name]


def orders(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield every order of the turns: three for each of two tasks, two for each of three."""
    turns = 3 if len(names) < 3 else 2
    left = dict.fromkeys(names, turns)

    def longer(head: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if len(head) == turns * len(names):
            yield head
        for name in names:
            if left[name]:
                left[name] -= 1
                yield from longer((*head, name))
                left[name] += 1

    return longer(())


async def _generations(store_class: type, word: str) -> bool:
    """Tasks put and end; then as many new ones, in whose memory they may lie, must find nothing."""
    store = store_class()

    async def put() -> None:
        store.put(word)

    async def get() -> object:
        return store.get()

    for _ in range(ROUNDS):
        await asyncio.gather(*(asyncio.create_task(put(), name="task") for _ in range(ROUNDS)))
        await asyncio.sleep(0)  # the loop lets go of the tasks only now
        found = await asyncio.gather(*(asyncio.create_task(get(), name="task") for _ in range(ROUNDS)))
        if any(value is not None for value in found):
            return False
    return True


def _visits(word: str | None, reads: int = 1) -> Callable:
    """A task that puts a word (None: nothing), waits, and gets."""

    async def visit(store: Any) -> list:
        if word is not None:
            store.put(word)
        await asyncio.sleep(0)
        return [store.get() for _ in range(reads)]

    return visit


async def _empty(store: Any) -> list:
    got = []
    for value in EMPTY:
        store.put(value)
        await asyncio.sleep(0)
        got.append(store.get())
    return got


def _twice(first: str, second: str) -> Callable:
    async def visit(store: Any) -> list:
        store.put(first)
        await asyncio.sleep(0)
        store.put(second)
        await asyncio.sleep(0)
        return [store.get()]

    return visit


def _both(first: str, second: str) -> Callable:
    async def visit(stores: tuple) -> list:
        stores[0].put(first)
        stores[1].put(second)
        await asyncio.sleep(0)
        return [stores[0].get(), stores[1].get()]

    return visit


EXERCISE = GrainForTasks()
