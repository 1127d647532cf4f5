"""Bug by oracle, measured: who sees what, and who is blind. And which number to poison with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sharedstate.kvcache.attends import RIGHT
from sharedstate.kvcache.cases import CASES, Case
from sharedstate.kvcache.engine import SlotEngine
from sharedstate.kvcache.oracles import ORACLES, POOLS, Finding, alone, poison
from sharedstate.kvcache.workloads import Variant, Workload
from sharedstate.model.attention import Attend

SEES, SOMETIMES, BLIND = "sees", "sometimes", "blind"

# Right engines at work: reuse of a slot, rows of unequal length, padding at both sides.
BUSY = Workload(
    "add old; finish old; batch left a b; add c; step a b c; finish a; batch right d e; step b c d e; step b d",
    {"old": 9, "a": 6, "b": 3, "c": 4, "d": 2, "e": 5}, slots=4,
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One bug: what each oracle finds in its smallest workload, and how silent it is in the near one."""

    case: Case
    findings: Mapping[str, Finding]
    silent: Finding

    def state(self, oracle: str) -> str:
        """Return "sees", "blind", or "sometimes" for an oracle of many trials that saw it in a few."""
        found = self.findings[oracle]
        return BLIND if not found.sees else SEES if found.always else SOMETIMES


@dataclass(frozen=True)
class Gallery:
    """The matrix of bugs and oracles; str() gives it as a text table."""

    rows: tuple[Row, ...]
    oracles: tuple[str, ...]

    @property
    def bugs(self) -> tuple[str, ...]:
        """The names of the bugs."""
        return tuple(row.case.name for row in self.rows)

    def row(self, bug: str) -> Row:
        """Return the row of a bug. Raises KeyError with the names there are."""
        for row in self.rows:
            if row.case.name == bug:
                return row
        raise KeyError(f"No bug {bug!r} here. There are: {', '.join(self.bugs)}.")

    def finding(self, bug: str, oracle: str) -> Finding:
        """Return what an oracle found."""
        return self.row(bug).findings[oracle]

    def state(self, bug: str, oracle: str) -> str:
        """Return "sees", "sometimes" or "blind"."""
        return self.row(bug).state(oracle)

    def blind(self, oracle: str) -> tuple[str, ...]:
        """Return the bugs that an oracle does not see."""
        return tuple(bug for bug in self.bugs if self.state(bug, oracle) == BLIND)

    def certain(self, bug: str) -> tuple[str, ...]:
        """Return the oracles that see this bug every time."""
        return tuple(oracle for oracle in self.oracles if self.state(bug, oracle) == SEES)

    def table(self) -> dict[str, dict[str, bool | str]]:
        """Return {bug: {oracle: True, False, or "9 of 20"}}, for a figure."""
        words = {SEES: True, BLIND: False}
        return {
            row.case.name: {o: words.get(row.state(o), _share(row.findings[o])) for o in self.oracles}
            for row in self.rows
        }

    def __str__(self) -> str:
        """One line a bug."""
        wide = max(len(bug) for bug in self.bugs)
        lines = [" " * wide + "".join(f"{oracle:>11}" for oracle in self.oracles)]
        for bug, line in self.table().items():
            words: dict[bool | str, str] = {True: "sees", False: "."}
            lines.append(f"{bug:{wide}}" + "".join(f"{words.get(line[o], str(line[o])):>11}" for o in self.oracles))
        return "\n".join(lines)


def matrix(variants: Mapping[str, Variant], oracles: Iterable[str] = tuple(ORACLES)) -> Gallery:
    """Measure {name of a case: engine or cache class} with every oracle, in the smallest workload of each case.

    Raises ValueError for a name that is no case, or an unknown oracle.
    """
    strangers = [name for name in variants if name not in CASES]
    if strangers or not variants:
        raise ValueError(f"No case {', '.join(strangers) or 'given'}. There are: {', '.join(CASES)}.")
    chosen = tuple(oracles)
    if not chosen or set(chosen) - set(ORACLES):
        raise ValueError(f"The oracles are {', '.join(ORACLES)}.")
    rows = tuple(_row(CASES[name], variant, chosen) for name, variant in variants.items())
    return Gallery(rows, chosen)


def false_alarms(value: float, workload: Workload = BUSY) -> Mapping[str, tuple[str, ...]]:
    """Poison right engines with `value`: {way to attend: the pools, "keys" or "values", whose poison raised an alarm}.

    Every alarm here is false: the engine is the right one, and so is every way to attend.
    """
    found = {
        name: tuple(pool for pool in POOLS if _alarm(value, pool, attend, workload)) for name, attend in RIGHT.items()
    }
    return MappingProxyType(found)


def _alarm(value: float, pool: str, attend: Attend, workload: Workload) -> bool:
    return poison(SlotEngine, workload, value=value, pools=(pool,), attend=attend).sees


def _row(case: Case, variant: Variant, oracles: tuple[str, ...]) -> Row:
    findings = {oracle: ORACLES[oracle](variant, case.minimal) for oracle in oracles}
    return Row(case, MappingProxyType(findings), alone(variant, case.silent))


def _share(found: Finding) -> str:
    return found.text.removeprefix("differ in ")
