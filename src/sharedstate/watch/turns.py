"""An order of watched accesses, forced on real threads: the seam `Watch(before=…)` with somebody in it."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sharedstate.watch.log import Watch

MOVE = re.compile(r"([^*\s]+)(\*)?(\d*)")
PATIENCE = 5.0
LIMIT = 30.0


class Turns:
    """Who may do the next watched access: ["mallory", "alice*2", "mallory*"], one, two, all that are left.

    Give `turns.before` to the Watch. A move whose thread does nothing for `patience` seconds is over: it waits for a
    lock that another one holds. After the last move everybody is free.
    """

    def __init__(self, moves: Sequence[str], places: Sequence[str] = (), patience: float = PATIENCE) -> None:
        """places: only accesses of these ("checker.result", its items too) are counted; all unless given.

        Raises ValueError for a move that is not a name, a star and a number.
        """
        found = [MOVE.fullmatch(move) for move in moves]
        if not all(found):
            raise ValueError(f'A move is "alice", "alice*4" or "alice*", not {list(moves)}.')
        self.left = [[m[1], int(m[3] or 0) or math.inf if m[2] else 1] for m in found if m]
        self.places, self.patience, self.done = tuple(places), patience, 0
        self.changed = threading.Condition()

    def before(self, who: str, kind: str, what: str) -> None:
        """Wait until it is this one's turn."""
        if self.places and what.partition("[")[0] not in self.places:
            return
        with self.changed:
            while self.left and self.left[0][0] != who:
                seen = self.done
                if not self.changed.wait(self.patience) and seen == self.done and self.left[0][0] != who:
                    self._next()
            if self.left:
                self.done += 1
                self.left[0][1] -= 1  # type: ignore[operator]
                if not self.left[0][1]:
                    self._next()

    def ended(self, who: str) -> None:
        """This one has no more accesses: its moves are over."""
        with self.changed:
            self.left = [move for move in self.left if move[0] != who]
            self.done += 1
            self.changed.notify_all()

    def _next(self) -> None:
        del self.left[0]
        self.done += 1
        self.changed.notify_all()

    def run(self, log: Watch, calls: Mapping[str, Callable[[], object]]) -> dict[str, object]:
        """Run each call in a thread, as a piece of work of its name; return the answers, an exception among them."""
        answers: dict[str, object] = {}

        def one(name: str) -> None:
            try:
                with log.work(name):
                    answers[name] = calls[name]()
            except Exception as error:
                answers[name] = error
            finally:
                self.ended(name)

        threads = [threading.Thread(target=one, args=(name,), daemon=True) for name in calls]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LIMIT)
        return answers
