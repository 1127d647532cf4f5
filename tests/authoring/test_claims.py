"""Every claim stands in the file once, is taught in its unit, and measured by what it names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sharedstate import paths
from sharedstate.authoring import AuthoringError
from sharedstate.authoring.claims import COUNT, FILE, Claim, load, problems

BY_UNIT = {
    "01_passcode_race": [*range(1, 8), 14], "02_isolation_fixes": [*range(8, 14)],
    "03_shared_rng": [*range(18, 26)], "04_attention_and_masks": [*range(35, 39)],
    "05_windows_and_channels": [39, 40], "06_kv_cache": [*range(27, 35)],
    "07_slot_pollution": [48, 50, 51, 52], "08_paged_blocks": [*range(41, 48), 49, 53],
    "09_batching_and_sampling": [26, 54, 55, 56], "10_diagnosis": [15, 16, 17],
}
UNIT = "77_tiny"
SOURCE = '''\
# %%
1

# %% tags=["claim:1", "measured"]
1

# %% [markdown] tags=["claim:2"]
# text

# %% tags=["claim:3"]
1
'''


@pytest.fixture
def claims() -> tuple[Claim, ...]:
    """The course's claims."""
    return load(paths.root())


def test_the_units_present_teach_and_measure_their_claims(claims: tuple[Claim, ...]) -> None:
    assert [str(problem) for problem in problems(claims, paths.root(), paths.units())] == []


def test_each_claim_stands_in_its_unit(claims: tuple[Claim, ...]) -> None:
    assert {unit: [c.id for c in claims if c.unit == unit] for unit in BY_UNIT} == BY_UNIT
    assert sorted(n for ids in BY_UNIT.values() for n in ids) == list(range(1, COUNT + 1))


def test_every_entry_says_why_in_a_sentence(claims: tuple[Claim, ...]) -> None:
    for claim in claims:
        assert claim.claim.endswith(".") and claim.because.endswith("."), claim.id


def test_the_ids_without_a_unit_are_those_of_units_still_to_come(
    claims: tuple[Claim, ...], record_property: Callable[[str, object], None]
) -> None:
    missing = {claim.id for claim in claims if claim.unit not in paths.units()}
    record_property("claims without a unit", sorted(missing))
    assert missing == {n for unit, ids in BY_UNIT.items() if unit not in paths.units() for n in ids}
    assert all(claim.unit in BY_UNIT for claim in claims)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A checkout with one unit whose lesson measures claim 1."""
    (tmp_path / "course" / UNIT).mkdir(parents=True)
    (tmp_path / "course" / UNIT / "lesson.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def entry(number: int, **changes: object) -> Claim:
    """An entry of the tiny unit."""
    return replace(Claim(number, "It is so.", UNIT, "true", "It is.", f"lesson:claim:{number}"), **changes)


def about(home: Path, claim: Claim) -> str:
    """The problems with this entry, as one text (those with the other ids left out)."""
    found = problems([claim], home, [UNIT])
    return "; ".join(p.what for p in found if p.what.startswith(f"claim {claim.id}:"))


def test_a_taught_and_measured_claim_is_no_problem(home: Path) -> None:
    assert about(home, entry(1)) == ""


@pytest.mark.parametrize(("claim", "words"), [
    (entry(4), "no code cell of the lesson 77_tiny is tagged claim:4"),
    (entry(2), "no code cell of the lesson"),
    (entry(3), "is not tagged stable or measured"),
    (entry(1, measured_by="lesson:claim:9"), "does not exist"),
    (entry(1, measured_by="lab:exercise:77.1"), "does not exist"),
    (entry(1, measured_by="somewhere"), "cannot read 'somewhere'"),
    (entry(1, measured_by="command:sharedstate bench nothing"), "no command"),
    (entry(1, verdict="T"), "'T' is no verdict"),
])
def test_what_is_wrong_is_named(home: Path, claim: Claim, words: str) -> None:
    assert words in about(home, claim)


def test_a_missing_a_doubled_and_a_strange_id_are_named(home: Path) -> None:
    entries = [entry(n, unit="78_later") for n in (*range(1, 56), 1, 57)]
    found = {p.what for p in problems(entries, home, [UNIT])}
    assert found == {f"claim {n} stands there {times} times" for n, times in ((1, 2), (56, 0), (57, 1))}


def test_an_entry_with_a_wrong_field_is_an_error(home: Path) -> None:
    (home / FILE).write_text("- {id: 1, cliam: x}\n", encoding="utf-8")
    with pytest.raises(AuthoringError, match="cliam"):
        load(home)
