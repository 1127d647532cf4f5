"""Walks the fault table: is each bug shown in every run, is its control clean, is its fix clean?"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from time import perf_counter

from sharedstate import paths
from sharedstate.faults.lesson import LessonError, Recipe, load
from sharedstate.faults.table import Fault, Probe, select, table

RUNS = 50               # for a schedule or a seam
SLOW_RUNS = 5           # where one run takes longer than SLOW_SECONDS
SLOW_SECONDS = 0.2
CLEAN_RUNS = 3          # control and fix are asked this often


@dataclass(frozen=True)
class FaultReport:
    """What a fault did: `shown` of `runs` runs, both cleans, wall seconds in all.

    `trouble` is the last line of the first error that a probe raised ("" when none did): such a run counts
    as not shown, or not clean.
    """

    name: str
    unit: str
    oracle: str
    runs: int
    shown: int
    control_clean: bool
    fix_clean: bool
    seconds: float
    trouble: str = ""

    @property
    def ok(self) -> bool:
        """True when the bug was shown in every run, with control and fix clean."""
        return self.runs > 0 and self.shown == self.runs and self.control_clean and self.fix_clean

    def to_json(self) -> dict[str, object]:
        """Return the eight fields that `sharedstate faults --json` prints; `trouble` stays out."""
        return {key: value for key, value in asdict(self).items() if key != "trouble"}


def walk(
    names: Iterable[str] = (),
    runs: int | None = None,
    unit: str | None = None,
    *,
    faults: Iterable[Fault] | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> list[FaultReport]:
    """Run the named faults (none named: all) and report on each.

    `runs`: how often the bug must show; None means 50, or 5 where one run takes over 0.2 s. `unit`: "01" or
    the full name. `faults`: another table than the course's. `tell` gets each fault's name before it runs.
    Raises UnknownFault for a name, ValueError for a unit or a number of runs that cannot be.
    """
    if runs is not None and runs < 1:
        raise ValueError(f"The number of runs must be 1 or more, not {runs}.")
    chosen = select(table() if faults is None else faults, names, paths.resolve_unit(unit) if unit else None)
    return list(_reports(chosen, runs, tell))


def _reports(faults: Iterable[Fault], runs: int | None, tell: Callable[[str], None]) -> Iterator[FaultReport]:
    """Yield one report a fault."""
    for fault in faults:
        tell(fault.name)
        yield report(fault, runs)


def report(fault: Fault, runs: int | None = None) -> FaultReport:
    """Run one fault; cells that are missing from the lesson are told as its trouble."""
    began = perf_counter()
    try:
        broken, mended = load(fault.unit, fault.name), load(fault.unit, fault.name, fix=True)
    except LessonError as error:
        return FaultReport(fault.name, fault.unit, fault.oracle, runs or RUNS, 0, False, False, 0.0, str(error))
    troubles: list[str] = []
    shown = [_ask(fault.show, broken, troubles)]    # this one also pays for the imports
    if runs is None:
        second = perf_counter()
        shown.append(_ask(fault.show, broken, troubles))
        runs = SLOW_RUNS if perf_counter() - second > SLOW_SECONDS else RUNS
    shown += [_ask(fault.show, broken, troubles) for _ in range(runs - len(shown))]
    control, fix = (
        all(_ask(probe, recipe, troubles) for _ in range(min(runs, CLEAN_RUNS)))
        for probe, recipe in ((fault.control_clean, broken), (fault.fix_clean, mended))
    )
    seconds = round(perf_counter() - began, 3)
    trouble = troubles[0] if troubles else ""
    return FaultReport(fault.name, fault.unit, fault.oracle, runs, sum(shown), control, fix, seconds, trouble)


def _ask(probe: Probe, recipe: Recipe, troubles: list[str]) -> bool:
    """Ask one probe in a fresh module; an error, or an answer that is not a bool, counts as no."""
    try:
        answer = probe(recipe.make())
    except Exception as error:
        troubles.append("".join(traceback.format_exception_only(error)).strip())
        return False
    if not isinstance(answer, bool):
        troubles.append(f"a probe returned {answer!r}, not True or False")
        return False
    return answer
