"""What hides in a signature: default arguments are shared by all calls; locks handed away; one loop, one thread."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any

import pytest

from sharedstate.interleave import Scenario


def noted(text: str, board: list[str] = [""]) -> str:  # noqa: B006 - the mistake under test
    """A function's default."""
    board[0] = text
    return board[0]


class Boards:
    """Methods whose default is one object for all."""

    def method(self, text: str, board: list[str] = [""]) -> str:  # noqa: B006
        """An instance's method."""
        board[0] = text
        return board[0]

    def keyword(self, text: str, *, board: dict[str, str] = {}) -> str:  # noqa: B006
        """A keyword's default."""
        board["text"] = text
        return board["text"]

    @staticmethod
    def static(text: str, board: list[str] = [""]) -> str:  # noqa: B006
        """A static method."""
        board[0] = text
        return board[0]

    @classmethod
    def of_class(cls, text: str, board: list[str] = [""]) -> str:  # noqa: B006
        """A class method."""
        board[0] = text
        return board[0]

    def own(self, text: str, board: list[str] | None = None) -> str:
        """The fix: a list of its own."""
        board = [""] if board is None else board
        board[0] = text
        return board[0]


CALLS: dict[str, Callable[[Any, str], str]] = {
    "a function": lambda state, text: noted(text),
    "a method": lambda state, text: state.method(text),
    "a keyword": lambda state, text: state.keyword(text),
    "a static method": lambda state, text: state.static(text),
    "a class method": lambda state, text: state.of_class(text),
}


def room(call: Callable[[Any, str], str], setup: Callable[[], Any] = Boards) -> Scenario:
    """Two callers, who must each get their own text."""
    return Scenario(
        setup=setup,
        threads={"alice": lambda s: call(s, "a"), "mallory": lambda s: call(s, "m")},
        never=lambda state, answers: answers != {"alice": "a", "mallory": "m"},
    )


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("strategy", ["dpor", "all"])
def test_a_default_argument_is_shared(name: str, strategy: str) -> None:
    result = room(CALLS[name]).explore(strategy)
    assert result.verdict == "broken"
    assert result.minimal.confirmed


def test_of_a_class_made_in_a_function_too() -> None:
    class Inner:
        def method(self, text: str, board: list[str] = [""]) -> str:  # noqa: B006
            board[0] = text
            return board[0]

        @staticmethod
        def static(text: str, board: list[str] = [""]) -> str:  # noqa: B006
            board[0] = text
            return board[0]

    for call in (CALLS["a method"], CALLS["a static method"]):
        assert room(call, Inner).explore().verdict == "broken"


def test_a_default_of_a_threads_own_function_is_its_own() -> None:
    def call(state: Boards, text: str) -> str:
        def mine(board: list[str] = [""]) -> str:  # noqa: B006 - made anew with each call
            board[0] = text
            return board[0]

        return mine()

    result = room(call).explore()
    assert (result.verdict, result.executions) in (("proved", 1), ("not instrumented", 1))


def test_the_fix_holds() -> None:
    assert room(lambda state, text: state.own(text)).explore().verdict in ("proved", "not instrumented")


class Guarded:
    """A lock that is handed to library code."""

    def __init__(self) -> None:
        self.lock, self.n = threading.Lock(), 0

    def stacked(self) -> None:
        """Taken by a stack of managers."""
        with contextlib.ExitStack() as stack:
            stack.enter_context(self.lock)
            self.n += 1


def test_a_lock_in_a_stack_of_managers_is_followed() -> None:
    room = Scenario(Guarded, {"a": Guarded.stacked, "b": Guarded.stacked}, never=lambda s, answers: s.n != 2)
    result = room.explore()
    assert (result.verdict, result.assumptions) == ("proved", ())


def test_the_tasks_of_a_loop_are_in_one_thread() -> None:
    async def who(state: Boards) -> tuple:
        await asyncio.sleep(0)
        return threading.get_ident(), threading.current_thread().name

    result = Scenario(setup=Boards, threads={"a": who, "b": who}).explore()
    ((answers, _),) = result.outcomes
    assert answers[0] == answers[1]
