"""The writes that the elements of an array name by number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sharedstate.watch.log import Job, Watch


class Tags:
    """The book of an array and its views; number 0 is what was there before. A log has one row of numbers for all.

    quiet: a read by index is not told; whoever reads asks for the tags themselves.
    """

    def __init__(self, log: Watch, name: str, shared: bool = False, quiet: bool = False) -> None:
        """Begin with none."""
        self.log, self.name, self.shared, self.quiet = log, name, shared, quiet

    def announce(self, kind: str) -> Job:
        """Announce an access of the array."""
        return self.log.announce(kind, self.name)

    def read_all(self, numbers: Any) -> None:
        """Note a read of elements with these tags (an array or a tensor of numbers)."""
        if self.quiet:
            return
        job = self.announce("read")
        with self.log.lock:
            named = sorted(set(numbers.flatten().tolist()))
            self.log.read_tagged(job, self.name, [self.log.writes[number] for number in named], self.shared)

    def write(self, job: Job) -> int:
        """Note a write; return its number. The caller holds the log's lock."""
        writes = self.log.writes
        writes.append(self.log.note(job, "write", self.name))
        return len(writes) - 1
