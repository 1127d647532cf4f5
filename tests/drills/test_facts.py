"""What the drills claim about their own code is so: the explorer, or a count, says it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from math import comb
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from sharedstate.checks import Registry
from sharedstate.drills import drill
from sharedstate.game import level
from sharedstate.interleave import Scenario


def defined(name: str, **given: Any) -> dict[str, Any]:
    """Run a drill's code, and return what it defines."""
    space = {"__name__": name, **given}
    exec(compile(drill(name).code, f"{name}.py", "exec"), space)
    return space


def explored(tmp_path: Any, name: str, scenario: str, before: str = "") -> str:
    """Return the explorer's verdict on a drill's code with a scenario below it; the explorer reads it from a file."""
    file = tmp_path / f"{name}.py"
    file.write_text(f"{before}\n{drill(name).code}\n{scenario}\n", encoding="utf-8")
    space: dict[str, Any] = {"__name__": name, "__file__": str(file)}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), space)
    return space["room"].explore(witness=False).verdict


ROOM = "from sharedstate.interleave import Scenario\nfrom threading import Lock\n"


def test_the_name_on_the_desk_is_somebody_elses(tmp_path: Any) -> None:
    calls = ("class Shop:\n    def basket(self, request):\n        return []\n"
             "class Ask:\n    def __init__(self, user):\n        self.user = user\n"
             "room = Scenario(lambda: Handler(Shop()), {n: lambda h, n=n: h.page(Ask(n)) for n in ('ann', 'bob')},\n"
             "                never=lambda h, got: any(n not in got[n] for n in got))")
    assert explored(tmp_path, "D01", calls, ROOM) == "broken"


def test_two_people_get_one_seat(tmp_path: Any) -> None:
    calls = ("room = Scenario(lambda: Seats(1), {n: lambda s: s.book() for n in ('ann', 'bob')},\n"
             "                never=lambda s, got: all(got.values()) and s.free == -1)")
    assert explored(tmp_path, "D02", calls, ROOM) == "broken"


def test_an_old_name_overwrites_a_newer_one() -> None:
    stored = {"ann": "old"}

    async def load(user: str) -> str:
        found = stored[user]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return found

    async def save(user: str, name: str) -> None:
        stored[user] = name

    space = defined("D03", load=load, save=save)

    async def both() -> tuple:
        return await asyncio.gather(space["profile"]("ann"), space["rename"]("ann", "new"))

    asyncio.run(both())
    assert stored["ann"] == "new" and space["cache"]["ann"] == "old"


def test_the_sums_of_seeds_and_units_collide_as_it_says() -> None:
    stream = defined("D15", random=random)["stream"]
    first = {stream(master, unit).getrandbits(128) for master in range(100) for unit in range(16)}
    assert len(first) == 115
    seven, eight = ({stream(master, unit).getrandbits(128) for unit in range(16)} for master in (7, 8))
    assert len(seven & eight) == 15


def test_a_single_repetition_by_chance_is_as_rare_as_it_says() -> None:
    assert 2.5e-10 < comb(100_000, 2) / 2**64 < 3.5e-10


def after_the_first_ended(batch: int, arrival: bool = False) -> list[bool]:
    """Let the first of a batch end, perhaps let a new one come; return who of the others still reads its own keys."""
    space = defined("D14")
    engine = SimpleNamespace(start={}, length={}, used=0, keys=torch.zeros(20))

    def add(request: int) -> None:
        engine.start[request], engine.length[request] = engine.used, 2
        engine.keys[engine.used : engine.used + 2] = request
        engine.used += 2

    for request in range(1, batch + 1):
        add(request)
    space["finish"](engine, 1)
    if arrival:
        add(batch + 1)
    return [bool((space["keys_of"](engine, request) == request).all()) for request in range(2, batch + 1)]


def test_two_in_a_batch_are_silent_and_of_three_the_middle_one_is_hurt() -> None:
    assert after_the_first_ended(2) == [True] and after_the_first_ended(3) == [False, True]
    assert after_the_first_ended(2, arrival=True) == [False]


def test_the_counter_never_says_one_and_the_fewest_switches_are_as_written() -> None:
    one = level("only-two")
    room = Scenario(one.program, one.threads, observe=lambda hall: hall.count)
    assert min(seen for _, seen in room.explore(witness=False).outcomes) == 2
    for room_id in ("12.2", "12.3"):
        exercise: Any = Registry().exercise(room_id)
        assert level(exercise.game).par == exercise.par


def test_the_number_of_orders_is_as_it_says() -> None:
    assert [comb(4 * n, 2 * n) for n in (1, 2, 3)] == [6, 70, 924]


class Wire:
    """A connection whose replies come in the order of the questions."""

    def __init__(self) -> None:
        self.replies: list[str] = []

    async def send(self, question: str) -> None:
        """Ask."""
        self.replies.append(question)

    async def receive(self) -> str:
        """Wait for the oldest reply."""
        await asyncio.sleep(0)
        return self.replies.pop(0)


class OneWire:
    """The pool of D22, with one connection."""

    def __init__(self) -> None:
        self.wires = [Wire()]

    async def get(self) -> Wire:
        """Take the connection; a second one is made where it is away."""
        return self.wires.pop() if self.wires else Wire()

    def put(self, wire: Wire) -> None:
        """Give it back."""
        self.wires.append(wire)


@pytest.mark.parametrize(("cancel", "wanted"), [(False, "bob"), (True, "ann")])
def test_a_cancelled_question_leaves_its_reply_to_the_next(cancel: bool, wanted: str) -> None:
    ask = defined("D22")["ask"]

    async def play() -> str:
        pool = OneWire()
        ann = asyncio.create_task(ask(pool, "ann"))
        await asyncio.sleep(0)
        if cancel:
            ann.cancel()
        await asyncio.gather(ann, return_exceptions=True)
        return await ask(pool, "bob")

    assert asyncio.run(play()) == wanted


def test_the_key_of_two_prompts_of_equal_length_is_one() -> None:
    model = SimpleNamespace(keys_and_values=lambda prompt: tuple(prompt))
    space: Mapping[str, Any] = defined("D06", cache={})
    assert space["prefill"](model, [1, 5]) == (1,) and space["prefill"](model, [2, 5]) == (1,)
    assert space["prefill"](model, [3]) == () == space["prefill"](model, [4])


def test_every_piece_of_code_is_python() -> None:
    for number in range(1, 25):
        if code := drill(str(number)).code:
            compile(code, f"D{number:02}", "exec")
