"""What one schedule did: its steps with the values read and written, and how to show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FORMATS = ("auto", "text", "html", "svg")


@dataclass(frozen=True)
class Step:
    """One access to shared state by one thread (or its start, its end, an exception, a wait).

    `kind` is one of read, write, delete, acquire, release, blocked, call, start, end, raise.
    `target` is a short name such as "PasscodeChecker.input_buffer", `value` a short repr of what
    was read or written. `where` is "Cell [3], line 7" in a notebook, "checker.py, line 7" elsewhere.
    """

    thread: str
    kind: str
    target: str
    value: str | None
    line: int
    where: str
    source: str
    switch: bool = False
    preemption: bool = False
    blame: bool = False
    possible: bool | None = None


@dataclass(frozen=True)
class Trace:
    """One whole schedule: who moved when, what each step saw, what came out.

    `schedule` names the thread of every step; `preemptions` counts the switches away from a thread
    that could have gone on, `switches` all of them. `confirmed` is True only after the same schedule
    ran on real threads and ended in the same state. `here` says whether this interpreter could do it today.
    """

    threads: tuple[str, ...]
    steps: tuple[Step, ...]
    answers: Mapping[str, object]
    finished: bool
    violated: bool
    verdict: str
    observed: object
    preemptions: int
    switches: int
    schedule: tuple[str, ...]
    token: str
    confirmed: bool = False
    notes: tuple[str, ...] = field(default=())
    real: str = "real threads"
    here: str = ""

    @property
    def possible(self) -> bool | None:
        """True if this interpreter may make every switch of it today, None if unknown; see `here`."""
        return all(step.possible for step in self.steps if step.switch) if self.here else None

    def show(self, format: str = "auto") -> View:
        """The trace as text, HTML or SVG; a notebook draws it, `str()` gives the text.

        Raises ValueError for a format that is not one of auto, text, html, svg.
        """
        if format not in FORMATS:
            raise ValueError(f"format must be one of {', '.join(FORMATS)}, not {format!r}")
        return View(self, format)

    def __str__(self) -> str:
        """The trace as a table of text."""
        return self.show("text").text

    def _repr_html_(self) -> str:
        """Drawn as HTML when it is the last value of a notebook cell."""
        return self.show("html").html


@dataclass(frozen=True)
class View:
    """A trace to look at: `.text`, `.html`, `.svg`, and what a notebook asks for."""

    trace: Trace
    format: str = "auto"

    @property
    def text(self) -> str:
        """The trace as plain text."""
        from sharedstate.interleave import render

        return render.text(self.trace)

    @property
    def html(self) -> str:
        """The trace as an HTML fragment."""
        from sharedstate.interleave import render

        return render.html(self.trace)

    @property
    def svg(self) -> str:
        """The trace as an SVG document."""
        from sharedstate.interleave import render

        return render.svg(self.trace)

    def __str__(self) -> str:
        """The chosen format as a string; "auto" gives text."""
        return {"html": lambda: self.html, "svg": lambda: self.svg}.get(self.format, lambda: self.text)()

    __repr__ = __str__

    def _repr_html_(self) -> str | None:
        """HTML for a notebook; None (plain text is shown) when text was asked for."""
        if self.format == "text":
            return None
        return self.svg if self.format == "svg" else self.html
