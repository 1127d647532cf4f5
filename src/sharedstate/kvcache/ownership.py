"""Who wrote what: a tag beside every cached token, checked at every read.

The data does not know whose it is. Tags do: for each (row, layer, column) the set of owners and the epoch, that
is the allocation in which it was written. A cache without tags does none of this work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass


class OwnershipViolation(RuntimeError):
    """A reader came upon data that is not its own. `owners` is empty when nobody's data lies there."""

    def __init__(
        self, reader: str | None, owners: frozenset[str], slot: int, layer: int, position: int, step: int
    ) -> None:
        """Keep the facts, and say them in one sentence."""
        whose = f"belongs to {', '.join(map(repr, sorted(owners)))}" if owners else "belongs to nobody"
        if reader in owners:
            whose = f"is {'its own' if len(owners) == 1 else 'shared with it,'} of an earlier epoch"
        super().__init__(
            f"{reader!r} reads slot {slot}, layer {layer}, position {position}, at step {step}: this {whose}."
        )
        self.reader, self.owners, self.slot = reader, owners, slot
        self.layer, self.position, self.step = layer, position, step


@dataclass(frozen=True)
class Taint:
    """Whose a token is: who wrote it and with whom it is shared; epoch is the allocation it was written in."""

    owners: frozenset[str]
    epoch: int

    def lets(self, reader: str | None, epoch: int) -> bool:
        """Say whether this reader may read the token of a slot that is in this epoch now."""
        return reader in self.owners and self.epoch == epoch


NOBODY = Taint(frozenset(), 0)


class OwnerTags:
    """The tags of one cache. With record=True a violation is kept in `violations` and not raised.

    `step` is counted by the engine (`next_step`), so that a violation can say when.
    """

    def __init__(self, record: bool = False) -> None:
        """Make empty tags; the cache that gets them calls `attach`."""
        self.record, self.step = record, 0
        self.violations: list[OwnershipViolation] = []
        self._taints: list[list[list[Taint]]] = []

    def attach(self, num_rows: int, num_layers: int, capacity: int) -> None:
        """Make room for a cache's tokens. Raises ValueError when another cache already uses these tags."""
        if self._taints:
            raise ValueError("These tags belong to another cache: make new ones.")
        self._taints = [[[NOBODY] * capacity for _ in range(num_layers)] for _ in range(num_rows)]

    def next_step(self) -> None:
        """Count one more pass through the model."""
        self.step += 1

    def owners(self, slot: int, layer: int, position: int) -> frozenset[str]:
        """Return whose the token at this place is; empty when nobody's."""
        return self._taints[slot][layer][position].owners

    def wrote(self, owner: str | None, epoch: int, slot: int, layer: int, columns: range) -> None:
        """Note that `owner` wrote these columns."""
        taint = Taint(frozenset() if owner is None else frozenset({owner}), epoch)
        self._taints[slot][layer][columns.start : columns.stop] = [taint] * len(columns)

    def reads(self, reader: str | None, epoch: int, slot: int, layer: int, columns: range | list[int]) -> None:
        """Check that `reader` may read these columns of a slot that is in this epoch.

        Raises OwnershipViolation for the first that it may not (or keeps it, with record=True).
        """
        line, allowed = self._taints[slot][layer], None
        for column in columns:
            taint = line[column]
            if taint is allowed:
                continue
            if not taint.lets(reader, epoch):
                self._violated(OwnershipViolation(reader, taint.owners, slot, layer, column, self.step))
                return
            allowed = taint

    def share(self, slot: int, owners: Iterable[str], stop: int | None = None) -> None:
        """Let these owners, too, read what the slot holds now (its first `stop` columns, all unless given).

        What is old stays old: it is shared within the epoch it was written in. This is a declaration and not data:
        a rollback does not take it back, only overwriting does. Raises ValueError for what is no list of names.
        """
        added = () if isinstance(owners, str) else frozenset(owners)
        if not added or not all(type(name) is str and name for name in added):
            raise ValueError(f'Share with a list of names, as in ["bob"], not {owners!r}.')
        if not 0 <= slot < len(self._taints) or (stop is not None and stop < 0):
            raise ValueError(f"There is no slot {slot!r} with {stop!r} columns.")
        for line in self._taints[slot]:
            line[:stop] = [Taint(t.owners | added, t.epoch) if t.owners else t for t in line[:stop]]

    def cleared(self, slot: int) -> None:
        """Note that the slot holds zeros now, nobody's data."""
        for line in self._taints[slot]:
            line[:] = [NOBODY] * len(line)

    def moved(self, source: int, target: int) -> None:
        """Note that a row's data was copied over another's: the tags go with it."""
        self._taints[target] = [list(line) for line in self._taints[source]]

    def saved(self) -> Callable[[], None]:
        """Copy the tags; return what puts them back."""
        taints = [[list(line) for line in lines] for lines in self._taints]

        def back() -> None:
            self._taints[:] = taints

        return back

    def _violated(self, violation: OwnershipViolation) -> None:
        if not self.record:
            raise violation
        self.violations.append(violation)
