"""Classes whose `__module__` is no text: a descriptor written in C, or one that a program defines."""

from __future__ import annotations

from sharedstate.interleave import Scenario
from sharedstate.interleave.access.registry import is_user_class, package_of


class Odd:
    """Says where it comes from only when it is asked as an object."""

    __module__ = property(lambda self: "somewhere")


class Holder:
    """Keeps one of them where threads meet."""

    def __init__(self) -> None:
        self.odd, self.count = Odd(), 0

    def add(self) -> None:
        """Count, with the odd one in the hand."""
        kept = self.odd
        self.count += 1 if kept is not None else 0


def test_a_class_without_a_module_in_words_is_none_of_the_users() -> None:
    assert package_of(Odd) == "builtins" and not is_user_class(Odd)
    assert package_of(Holder) == __name__.partition(".")[0] and is_user_class(Holder)


def test_the_explorer_walks_past_an_object_of_such_a_class() -> None:
    room = Scenario(Holder, {"ann": Holder.add, "ben": Holder.add}, never=lambda holder, answers: holder.count != 2)
    assert room.explore().verdict == "broken"
