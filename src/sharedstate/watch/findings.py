"""What a watch notes, an access, and what it finds: a reader, and a writer whom it did not expect."""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from typing import NamedTuple

FOREIGN, LOST, TORN, CIRCLE = "foreign", "lost", "torn", "circle"
NOBODY = "nobody"
SAID = (
    (FOREIGN, "and it was last written by {writer}"),
    (LOST, "over what {writer} wrote since its own read"),
    (TORN, "a second time, and {writer} wrote in between"),
    (CIRCLE, "while {writer} holds it and waits for what it holds itself"),
)


class Access(NamedTuple):
    """One read or write. `job` numbers the piece of work that did it (0: nobody's, what was there before)."""

    number: int
    who: str
    job: int
    kind: str
    what: str
    file: str
    line: int

    @property
    def code(self) -> str:
        """The line of the source, without its margins; empty where it is not known."""
        return linecache.getline(self.file, self.line).strip()

    @property
    def place(self) -> str:
        """Where in the source: "checkers.py, line 51", or "a cell, line 3" of a notebook."""
        name = self.file.replace("\\", "/").rpartition("/")[2]
        return f"{'a cell' if name.removesuffix('.py').isdigit() else name}, line {self.line}"


@dataclass(frozen=True)
class Finding:
    """One alarm: `access` is the reader's (or of the one that overwrites), `write` what it came upon.

    kind: "foreign", it read what another had written; "lost", it overwrote what another wrote since its own read;
    "torn", another wrote between two of its reads; "circle", a lock is held by someone who waits for its own.
    """

    kind: str
    access: Access
    write: Access

    @property
    def reader(self) -> str:
        """Who read, or overwrote."""
        return self.access.who

    @property
    def writer(self) -> str:
        """Who wrote what it came upon."""
        return self.write.who

    @property
    def what(self) -> str:
        """The shared place, by name."""
        return self.access.what

    def __str__(self) -> str:
        """Reader and writer in one sentence, each with its line."""
        ending = dict(SAID)[self.kind].format(writer=self.writer)
        verb = "takes" if self.kind == CIRCLE else f"{self.access.kind}s"
        return (
            f"{self.reader} {verb} {self.what}, {ending}.\n"
            f"  {self.reader}: {self.access.place}: {self.access.code}\n"
            f"  {self.writer}: {self.write.place}: {self.write.code}"
        )
