"""The 22 public incidents: each in the fault table, each a page of unit 11 that shows it, with story and source."""

from __future__ import annotations

import re

import pytest

from sharedstate import paths
from sharedstate.faults import LessonError, load, table, walk
from sharedstate.faults.incidents import INCIDENTS, Incident, IncidentDiffers, by_kind, named, page
from sharedstate.faults.lesson import linecache
from sharedstate.percent import Cell, blocks, code_cells

each_incident = pytest.mark.parametrize("incident", INCIDENTS, ids=lambda one: one.name)
IDS = {
    "KV-01", "KV-02", "OFF-01", "OFF-02", "OFF-03", "KEY-01", "KEY-02", "KEY-03", "COW-01", "COW-02", "PAD-01",
    "MASK-01", "MASK-02", "MASK-03", "SAMP-01", "SAMP-02", "INV-01", "RNG-01", "RNG-02", "PY-01", "PY-02", "PY-03",
}  # fmt: skip
PARTS = ("**Symptom.**", "**Hurt:**", "**Mechanism.**", "**Oracle.**", "**Fix.**", "**Where else?**", "Told in unit")
EARLIER = {"KV-01": ("PAD-01",), "KEY-02": ("KEY-01",), "COW-02": ("COW-01",), "MASK-02": ()}  # what a page builds on


def lesson() -> str:
    """The source of the lesson."""
    return (paths.units()["11_in_the_wild"] / "lesson.py").read_text(encoding="utf-8")


def cells(name: str) -> list[Cell]:
    """The code cells that an incident's page needs: set-up, the pages it builds on, its own."""
    wanted = {"setup", *(f"incident:{one}" for one in (*EARLIER.get(name, ()), name))}
    return [cell for cell in code_cells(lesson()) if cell.tags & wanted]


def test_there_are_22_and_the_table_has_them_all() -> None:
    assert {one.name for one in INCIDENTS} == IDS and len(INCIDENTS) == 22
    assert {fault.name for fault in table()} >= IDS
    assert sum(map(len, by_kind().values())) == 22


@pytest.mark.exhaustive  # the default tier walks the whole table in test_faults
@each_incident
def test_its_entry_shows_it_every_time_and_is_clean_where_it_must_be(incident: Incident) -> None:
    (found,) = walk([incident.name], 10)
    assert found.ok and found.shown == 10, found


@each_incident
def test_its_page_tells_the_whole_story(incident: Incident) -> None:
    prose = "\n".join(block.source for block in blocks(lesson()) if block.heading.startswith("[markdown]"))
    prose = re.sub(r"\n# ?", " ", prose)
    found = re.search(rf"### {incident.name} · (.+?)(?= ##|\Z)", prose)
    assert found, "no page"
    assert [part for part in PARTS if part not in found[1]] == []
    assert incident.source in found[1]
    unit = next(fault.unit for fault in table() if fault.name == incident.name)
    assert f"Told in unit {unit[:2]}." in found[1]


@each_incident
def test_its_page_shows_the_bug_and_neither_control_nor_fix(
    incident: Incident, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[tuple[str, tuple[bool, ...]]] = []
    monkeypatch.setattr("sharedstate.faults.incidents.page", lambda name, *alarms: said.append((name, alarms)))
    source = "\n".join(cell.source for cell in cells(incident.name))
    file = f"<page {incident.name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    exec(compile(source, file, "exec"), {"__name__": incident.name})
    assert said[-1][0] == incident.name
    assert [bool(alarm) for alarm in said[-1][1]] == [True, False, False]


def test_a_page_that_is_otherwise_fails(capsys: pytest.CaptureFixture[str]) -> None:
    page("COW-01", True, False, False)
    assert capsys.readouterr().out.count("bug: ALARM   control: quiet   fix: quiet") == 2
    for alarms in ((False, False, False), (True, True, False), (True, False, True)):
        with pytest.raises(IncidentDiffers, match="COW-01"):
            page("COW-01", *alarms)
    with pytest.raises(ValueError, match="PY-03"):
        named("PY-99")


def test_an_incident_has_no_cell_of_another_fault() -> None:
    for incident in INCIDENTS:
        with pytest.raises(LessonError):
            load("11_in_the_wild", incident.name)
