"""Every racy program of units 01 to 03 has its writer named, and no repair raises an alarm."""

from __future__ import annotations

import pytest
import racy_programs as racy

from sharedstate.faults import load, table
from sharedstate.passcodes import FIXED, RACY

UNITS = ("01_passcode_race", "02_isolation_fixes", "03_shared_rng")
FAULTS = [fault for fault in table() if fault.unit in UNITS]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_writer_is_named_and_the_repair_is_quiet(fault) -> None:
    """A new fault needs a program here, or a reason why nobody writes what another reads."""
    if fault.name in racy.NOT_SHARED:
        assert fault.name not in racy.PROGRAMS
        return
    program = racy.PROGRAMS[fault.name]
    log = program.play(load(fault.unit, fault.name, fix=True).make(), program.kind, racy.NEVER)
    found = {(finding.reader, finding.writer) for finding in log.findings}
    assert found & set(program.pairs), str(log)
    assert all(finding.write.code and finding.access.code for finding in log.findings)
    for fixed in program.fixed:
        log = program.play(load(fault.unit, fault.name, fix=True).make(), fixed, racy.SOON)
        assert log.count and not log.findings, f"{fixed}: {log}"


def test_every_program_belongs_to_a_fault() -> None:
    assert {fault.name for fault in FAULTS} == set(racy.PROGRAMS) | set(racy.NOT_SHARED)


@pytest.mark.parametrize("name", RACY)
def test_the_packages_racy_checkers_are_found(name: str) -> None:
    log = racy.visit(racy.ENTRY)({"kind": RACY[name]}, "kind", racy.NEVER)
    assert {(finding.reader, finding.writer) for finding in log.findings} == set(racy.M_A)


@pytest.mark.parametrize("name", FIXED)
def test_the_packages_fixed_checkers_are_quiet(name: str) -> None:
    assert not racy.visit(racy.ENTRY)({"kind": FIXED[name]}, "kind", racy.SOON).findings
