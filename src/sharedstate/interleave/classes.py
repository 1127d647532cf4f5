"""Show me what you tried: the schedules that differ, one of each class, as a list or as a tree.

Two interleavings belong to the same class if every pair of conflicting accesses came in the same order; what
the threads see and answer is then the same, whatever else changed places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sharedstate.interleave import funnel
from sharedstate.interleave.engine import Engine
from sharedstate.interleave.execution import Execution
from sharedstate.interleave.findings import Findings
from sharedstate.interleave.show.words import access, escape, outcome_text, short_names
from sharedstate.interleave.trace import Step, Trace
from sharedstate.wording import count

LONGEST = 110
NO_ACCESS = ("start", "end", "resume", "blocked", "skip")


@dataclass(frozen=True)
class Kind:
    """One class: its smallest executed schedule, how many executions were of it, its decisive accesses.

    `order` holds the accesses that conflict with another thread's, in the order of the trace.
    """

    number: int
    trace: Trace
    executions: int
    outcome: tuple
    order: tuple[Step, ...]


@dataclass(frozen=True)
class Classes:
    """The classes of a search, fewest preemptions first; `kinds` holds at most `limit` of them.

    `total` counts all classes that the search saw; `complete` is False where it did not see every one, or did
    not remember every execution.
    """

    kinds: tuple[Kind, ...]
    total: int
    executions: int
    complete: bool
    limit: int
    threads: tuple[str, ...]

    @property
    def heading(self) -> str:
        """How many there are, how many are shown, and whether that is all."""
        shown = f"{self.total:,} classes" if self.total != 1 else "1 class"
        parts = [f"{shown} in {count(self.executions, 'execution')}"]
        if self.total > len(self.kinds):
            parts.append(f"the {len(self.kinds)} with the fewest preemptions are shown (limit {self.limit})")
        if not self.complete:
            parts.append("not all interleavings were tried or remembered")
        return "; ".join(parts)

    def tree(self) -> str:
        """The classes as a tree of text: what they have in common is said once, each leaf is a class."""
        lines = [self.heading]
        rows = sorted((tuple(words(self, kind)), kind.number, kind) for kind in self.kinds)
        lines += _branches([(row, kind) for row, _, kind in rows], self.threads, "")
        return "\n".join(line[:LONGEST] for line in lines)

    def __str__(self) -> str:
        """The classes as a list of text: number, decisive accesses, what came out."""
        lines = [self.heading]
        for kind in self.kinds:
            lines += ["", f"{kind.number}. {said(kind, self.threads)}"]
            lines += [f"     {k}. {text}"[:LONGEST] for k, text in enumerate(words(self, kind), 1)]
            lines += [f"     {kind.trace.token}"] if kind.trace.token else []
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """A list that unfolds: each class opens to its schedule."""
        rows = "".join(
            f'<details data-class="{kind.number}"><summary>{kind.number}. '
            f"{escape(said(kind, self.threads))}</summary>"
            f"{kind.trace.show('html').html}</details>"
            for kind in self.kinds
        )
        return f'<div class="ss-classes"><div><b>{escape(self.heading)}</b></div>{rows}</div>'


def classify(engine: Engine, found: Findings, limit: int = 20) -> Classes:
    """Group the executions of a search by class, and play one of each again for its trace."""
    again = engine.replays(found) or []
    logs = funnel.merged([log for _, log in again])
    fields = funnel.conflicts(logs)
    groups: dict[tuple, list[Execution]] = {}
    for (execution, _), log in zip(again, logs, strict=True):
        groups.setdefault(funnel.signature(log, fields), []).append(execution)
    chosen = sorted(groups.values(), key=lambda group: min(group, key=_size).rank)[:limit]
    kinds = []
    with engine.threads():
        for number, group in enumerate(chosen, 1):
            kinds.append(_kind(engine, number, group))
    complete = found.complete and found.kept is not None
    return Classes(tuple(kinds), len(groups), found.executions, complete, limit, tuple(engine.bodies))


def _size(execution: Execution) -> tuple:
    """Fewest preemptions first."""
    return execution.rank


def _kind(engine: Engine, number: int, group: list[Execution]) -> Kind:
    """One class, with the trace of its smallest execution."""
    smallest = min(group, key=_size)
    run, _ = engine.follow(smallest.schedule)
    try:
        trace = engine.trace(run)
    finally:
        run.close()
    return Kind(number, trace, len(group), smallest.outcome, decisive(trace))


def decisive(trace: Trace) -> tuple[Step, ...]:
    """The accesses whose order can matter: to a field that one thread writes and another one touches."""
    users: dict[str, set[str]] = {}
    written: set[str] = set()
    steps = [step for step in trace.steps if step.kind not in NO_ACCESS]
    for step in steps:
        users.setdefault(step.target, set()).add(step.thread)
        if step.kind != "read":
            written.add(step.target)
    return tuple(step for step in steps if step.target in written and len(users[step.target]) > 1)


def words(classes: Classes, kind: Kind) -> list[str]:
    """The decisive accesses of a class in words, with the values."""
    names = short_names(kind.trace)
    return [f"{step.thread} {access(step, names)}" for step in kind.order] or ["no conflict"]


def said(kind: Kind, threads: tuple[str, ...]) -> str:
    """What came out of a class, and how often it was met."""
    many = f" ({kind.executions:,} executions)" if kind.executions > 1 else ""
    bad = f"{kind.trace.verdict}: " if kind.trace.verdict != "ok" else ""
    return f"{bad}{outcome_text(kind.outcome, threads)}{many}"


def _branches(rows: list[tuple[tuple[str, ...], Kind]], threads: tuple[str, ...], indent: str) -> Iterator[str]:
    """A tree's lines; a stretch without a fork stays on one level."""
    while rows:
        head = rows[0][0][:1]
        same = [row for row in rows if row[0][:1] == head]
        rows = rows[len(same) :]
        if not head:
            for _, kind in same:
                yield f"{indent}= {kind.number}. {said(kind, threads)}"
            continue
        common = head
        while len({row[0][: len(common) + 1] for row in same}) == 1 and len(same[0][0]) > len(common):
            common = same[0][0][: len(common) + 1]
        for text in common:
            yield f"{indent}- {text}"
        yield from _branches([(row[0][len(common) :], row[1]) for row in same], threads, indent + "  ")
