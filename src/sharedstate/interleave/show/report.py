"""A result as a text that a person can paste into an issue: plain, or Markdown."""

from __future__ import annotations

import platform
import sys
import textwrap
from dataclasses import dataclass

import sharedstate
from sharedstate.interleave.possible import interpreter
from sharedstate.interleave.result import Result
from sharedstate.interleave.show.advice import MEANING, what_to_fix
from sharedstate.interleave.show.text import text
from sharedstate.interleave.show.words import outcome_text
from sharedstate.wording import count

MOST_OUTCOMES, WIDTH = 10, 100
LEVELS = (
    ("shared", "interleavings of all shared accesses"),
    ("conflicting", "interleavings of conflicting accesses"),
    ("classes", "classes that differ"),
    ("executions", "executed"),
)


@dataclass(frozen=True)
class Section:
    """One part of a report: a title and its lines; `drawn` lines keep their columns."""

    title: str
    lines: tuple[str, ...]
    drawn: bool = False


def report(result: Result, markdown: bool = False) -> str:
    """Verdict, coverage, assumptions, outcomes, schedule, what to fix, token and versions as one text."""
    parts = [part for part in sections(result) if part.lines]
    return _markdown(result, parts) if markdown else _plain(result, parts)


def sections(result: Result) -> list[Section]:
    """The parts of a report, some of which may be empty."""
    trace = result.minimal
    token = (f'scenario.replay("{trace.token}")',) if trace is not None and trace.token else ()
    drawing = tuple(text(trace).splitlines()) if trace is not None else ()
    return [
        Section("That means", (MEANING.get(result.verdict, ""),) if result.verdict in MEANING else ()),
        Section("Assuming", result.assumptions),
        Section("Tried", _tried(result)),
        Section("Outcomes", outcomes(result)),
        Section("Smallest schedule" if result.verdict != "proved" else "A schedule", drawing, drawn=True),
        Section("On this interpreter", _today(result)),
        Section("What to fix", tuple(what_to_fix(result.verdict, trace))),
        Section("Play it again", token, drawn=True),
        Section("Versions", (versions(),)),
    ]


def _today(result: Result) -> tuple[str, ...]:
    """Whether this interpreter can fail so; only asked where there is a switch to ask about."""
    answer = result.today() if result.minimal is not None and result.minimal.here else None
    return (str(answer),) if answer is not None else ()


def _tried(result: Result) -> tuple[str, ...]:
    """The numbers of the funnel, as far as they are known."""
    numbers = result.funnel()
    found = [(getattr(numbers, key), words) for key, words in LEVELS]
    threads = f"{count(len(result.threads), 'thread')}: {', '.join(result.threads)}"
    return (threads, *(f"{number:,} {words}" for number, words in found if number is not None))


def outcomes(result: Result) -> tuple[str, ...]:
    """What came out and how often, the rarest last; past the ten most frequent, how many more there are."""
    table = result.counts or dict.fromkeys(result.outcomes, 0)
    rows = sorted(table.items(), key=lambda pair: (-pair[1], repr(pair[0])))
    lines = [
        f"{_times(times)}{outcome_text(outcome, result.threads)}" for outcome, times in rows[:MOST_OUTCOMES]
    ]
    more = len(rows) - MOST_OUTCOMES
    return (*lines, f"and {more} more") if more > 0 else tuple(lines)


def _times(number: int) -> str:
    """ "12 x  " in front of an outcome, nothing where it was not counted."""
    return f"{number:>6,} x  " if number else ""


def versions() -> str:
    """The package, the interpreter and the system in one line."""
    exact = f"{platform.python_implementation()} {platform.python_version()}"
    gil = "with its GIL" if "with its" in interpreter() else "without a GIL"
    return f"sharedstate {sharedstate.__version__}, {exact} {gil}, {platform.system()} ({sys.platform})"


def _plain(result: Result, parts: list[Section]) -> str:
    """Titles at the margin, lines indented."""
    lines = [f"{result.verdict}: {result.coverage}"]
    for part in parts:
        lines += ["", f"{part.title}:"]
        lines += [part_line for line in part.lines for part_line in _indented(line, part.drawn)]
    return "\n".join(lines)


def _indented(line: str, drawn: bool) -> list[str]:
    """A line two columns in; a sentence is wrapped, a drawing is not."""
    if drawn or len(line) < WIDTH:
        return [f"  {line}".rstrip()]
    return textwrap.wrap(line, WIDTH, initial_indent="  ", subsequent_indent="  ")


def _markdown(result: Result, parts: list[Section]) -> str:
    """Headings, lists, and fences around what is drawn."""
    lines = [f"## {result.verdict}: {result.coverage}"]
    for part in parts:
        lines += ["", f"### {part.title}", ""]
        lines += (
            ["```text", *part.lines, "```"] if part.drawn else [f"- {_escaped(line)}" for line in part.lines]
        )
    return "\n".join(lines) + "\n"


def _escaped(line: str) -> str:
    """A line in which Markdown finds nothing to interpret."""
    return "".join(f"\\{letter}" if letter in "\\`*_<>[]#|" else letter for letter in line.strip())
