"""Who wrote what: a tag beside every cached token, checked at every read.

The data does not know whose it is. Tags do: for each (row, layer, column) who may read it, and in which epoch, that
is in which allocation of a slot. A cache without tags does none of this work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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
    """Whose a token is: the owners, each with the epoch (the allocation) in which it may read; the writer's first one.

    An epoch is given out once, so a grant ends by itself when its allocation does.
    """

    grants: frozenset[tuple[str, int]]
    epoch: int

    @property
    def owners(self) -> frozenset[str]:
        """The names, without the epochs."""
        return frozenset(name for name, _ in self.grants)

    def lets(self, reader: str | None, epoch: int) -> bool:
        """Say whether this reader may read the token from a slot that is in this epoch now."""
        return (reader, epoch) in self.grants

    def shared(self, more: Mapping[str, int] | Iterable[str]) -> Taint:
        """Return the same token, granted to more: names alone are granted the epoch in which it was written."""
        if not self.grants:
            return self
        pairs = more.items() if isinstance(more, Mapping) else ((name, self.epoch) for name in more)
        return Taint(self.grants | frozenset(pairs), self.epoch)


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
        taint = Taint(frozenset() if owner is None else frozenset({(owner, epoch)}), epoch)
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

    def share(self, slot: int, owners: Iterable[str] | Mapping[str, int], stop: int | None = None) -> None:
        """Let these owners, too, read what a row of the pools holds now (its first `stop` columns, all unless given).

        A list of names shares within the epoch in which each token was written: what is old stays old. A mapping
        {name: epoch} shares across allocations: that name may read it from a slot that is in that epoch, until the
        slot's next allocation, as a block that two requests map. This is a declaration and not data: a rollback does
        not take it back, only overwriting does. What is nobody's stays nobody's. Raises ValueError for other owners.
        """
        names = [] if isinstance(owners, str) else list(owners)
        if not names or not all(type(name) is str and name for name in names):
            raise ValueError(f'Share with a list of names, as in ["bob"], or with {{"bob": epoch}}, not {owners!r}.')
        if isinstance(owners, Mapping) and not all(type(epoch) is int and epoch > 0 for epoch in owners.values()):
            raise ValueError(f"An epoch is the number of an allocation, 1 or more: {dict(owners)!r}.")
        if not 0 <= slot < len(self._taints) or (stop is not None and stop < 0):
            raise ValueError(f"There is no slot {slot!r} with {stop!r} columns.")
        more = owners if isinstance(owners, Mapping) else names
        for line in self._taints[slot]:
            line[:stop] = [taint.shared(more) for taint in line[:stop]]

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
