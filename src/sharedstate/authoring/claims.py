"""course/claims.yml: what popular texts say, in which unit it is taught, and which cell measures it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sharedstate.authoring.source import AuthoringError, Problem
from sharedstate.faults import table
from sharedstate.percent import Cell, code_cells

FILE = "course/claims.yml"
COUNT = 56
VERDICTS = ("true", "false", "depends", "weak", "not shown")
SOURCES = ("lesson", "lab")


@dataclass(frozen=True)
class Claim:
    """One entry: id, the claim, its unit's full name, verdict with its reason, and what measures it."""

    id: int
    claim: str
    unit: str
    verdict: str
    because: str
    measured_by: str


def load(home: Path) -> tuple[Claim, ...]:
    """Read the file. Raises AuthoringError for an entry with a missing or unknown field."""
    import yaml

    entries = yaml.safe_load((home / FILE).read_text(encoding="utf-8"))
    try:
        return tuple(Claim(**entry) for entry in entries)
    except TypeError as error:
        raise AuthoringError(f"{FILE}: an entry has other fields than it should: {error}") from error


def problems(claims: Iterable[Claim], home: Path, units: Iterable[str]) -> list[Problem]:
    """List what is wrong with the entries, and for the units present with what they name in the lessons."""
    claims, present = tuple(claims), tuple(units)
    found = [(claim, finding) for claim in claims for finding in _findings(claim, home, present)]
    return _ids(claims) + [Problem(FILE, f"claim {claim.id}: {what}", do) for claim, (what, do) in found]


def _ids(claims: tuple[Claim, ...]) -> list[Problem]:
    """Every id from 1 to 56, once."""
    ids, wanted = [claim.id for claim in claims], range(1, COUNT + 1)
    odd = sorted({n for n in wanted if ids.count(n) != 1} | {n for n in ids if n not in wanted})
    return [Problem(FILE, f"claim {n} stands there {ids.count(n)} times", "1 to 56, each once.") for n in odd]


def _findings(claim: Claim, home: Path, present: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield (what is wrong, remedy) about one entry."""
    if claim.verdict not in VERDICTS:
        yield f"{claim.verdict!r} is no verdict", f"One of: {', '.join(VERDICTS)}."
    if claim.unit in present:
        tag = f"claim:{claim.id}"
        if not any(tag in cell.tags for cell in _code(home, claim.unit, "lesson")):
            yield f"no code cell of the lesson {claim.unit} is tagged {tag}", "Tag the cell that measures it."
        yield from _measured(claim, home)


def _measured(claim: Claim, home: Path) -> Iterator[tuple[str, str]]:
    """Yield a finding unless `measured_by` names a cell whose output is stable or measured, or a command."""
    kind, _, rest = claim.measured_by.partition(":")
    if kind == "command":
        if not _command(rest.split(), home):
            yield f"there is no command {rest!r}", "Name one that exists."
    elif kind not in SOURCES:
        yield f"cannot read {claim.measured_by!r}", "lesson:<tag>, lab:<tag> or command:<words>."
    else:
        cells = [cell for cell in _code(home, claim.unit, kind) if rest in cell.tags]
        if not any(cell.tags & {"stable", "measured"} for cell in cells):
            what = "is not tagged stable or measured" if cells else "does not exist"
            yield f"the cell {claim.measured_by} of {claim.unit} {what}", "Tag it, or name another cell."


def _code(home: Path, unit: str, kind: str) -> tuple[Cell, ...]:
    """Return the code cells of the unit's lesson or lab, none when there is no such file."""
    path = home / "course" / unit / f"{kind}.py"
    return code_cells(path.read_text(encoding="utf-8")) if path.is_file() else ()


def _command(words: list[str], home: Path) -> bool:
    """True for `sharedstate bench NAME` with its script, or `sharedstate faults NAME` with its entry."""
    match words:
        case ["sharedstate", "bench", name]:
            return (home / "benchmarks" / f"{name}.py").is_file()
        case ["sharedstate", "faults", name]:
            return name in {fault.name for fault in table()}
    return False
