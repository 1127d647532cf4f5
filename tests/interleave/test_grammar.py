"""Programs drawn from the whole grammar: the reduced search finds what the whole one finds, and the second witness,
which runs the untouched code between single bytecodes, sees nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from sharedstate.interleave import Scenario
from tests.interleave.grammar import program

MOST = 1_500  # interleavings of a program that is compared
EACH = 100


@dataclass
class Compared:
    """What became of the programs that were drawn."""

    whole: int = 0
    witnessed: int = 0
    large: int = 0


def compare(seed: int, seen: Compared, waits: bool = False) -> None:
    """One program, drawn from a seed."""
    source, scope = program(seed, 1 if waits else 2, waits)
    room = Scenario(
        setup=scope["setup"],
        threads={"one": scope["one"], "other": scope["other"]},
        observe=scope["end"],
        exceptions="answers",
    )
    reduced = room.explore("dpor", executions=3_000)
    ends = ("proved", "ran out", *(("no progress",) if waits else ()))
    assert reduced.verdict in ends, f"{seed}: {reduced}\n{source}"
    assert not reduced.assumptions, f"{seed}: {reduced.assumptions}\n{source}"
    seen.witnessed += reduced.verdict == "proved" and "found nothing else" in str(reduced)
    whole = room.explore("all", executions=MOST, witness=False)
    if not whole.coverage.startswith("all ") or reduced.verdict == "ran out":
        seen.large += 1
        assert whole.outcomes <= reduced.outcomes or reduced.verdict == "ran out", f"{seed}: {source}"
        return
    seen.whole += 1
    assert reduced.outcomes == whole.outcomes, f"{seed}: {reduced.outcomes ^ whole.outcomes}\n{source}"


def compare_all(first: int, count: int, waits: bool = False) -> None:
    """Programs from this seed on; most of them are small enough to be compared."""
    seen = Compared()
    for seed in range(first, first + count):
        compare(seed, seen, waits)
    assert seen.whole > 0.6 * count, seen
    assert waits or seen.witnessed > 0.9 * count, seen


def test_drawn_programs() -> None:
    compare_all(0, 24)


def test_drawn_programs_that_wait() -> None:
    compare_all(0, 8, waits=True)


@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(1))
def test_many_drawn_programs_that_wait(part: int) -> None:
    compare_all(1_000 + part * EACH, EACH, waits=True)


@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(4))
def test_many_drawn_programs(part: int) -> None:
    compare_all(1_000 + part * EACH, EACH)
