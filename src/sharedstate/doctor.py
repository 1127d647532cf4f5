"""What this machine has, what it lacks, and the remedy for each thing that it lacks."""

from __future__ import annotations

from dataclasses import asdict, dataclass

STATES = ("ok", "note", "warning", "problem")


@dataclass(frozen=True)
class Finding:
    """One line of the report. `state`: ok, note, warning (the course works), problem (it does not)."""

    name: str
    state: str
    found: str
    remedy: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return the finding as plain data."""
        return asdict(self)


def examine(quick: bool = False) -> list[Finding]:
    """Look at everything. `quick` leaves out what takes seconds: a kernel's start and torch's import."""
    from sharedstate import doctor_checks as checks
    from sharedstate import doctor_probes as probes

    running = () if quick else (probes.Probe("kernel", probes.KERNEL), probes.Probe("torch", probes.TORCH))
    findings = [check() for check in checks.ALL]
    if quick:
        return [*findings, probes.kernel_unasked(), *probes.torch_unasked()]
    kernel, torch = (probe.answer() for probe in running)
    return [*findings, probes.kernel(kernel), *probes.torch(torch)]


def healthy(findings: list[Finding]) -> bool:
    """Say whether nothing stops the course."""
    return not any(finding.state == "problem" for finding in findings)


def report(findings: list[Finding]) -> str:
    """Return the findings as text, each remedy under its finding."""
    lines = []
    for finding in findings:
        lines.append(f"{finding.state:8} {finding.name:10} {finding.found}")
        if finding.remedy:
            lines.append(f"{'':8} {'':10} -> {finding.remedy}")
    counts = {state: sum(finding.state == state for finding in findings) for state in STATES}
    if counts["problem"]:
        lines.append(f"\n{counts['problem']} problem(s) stop the course: see the arrows.")
    else:
        lines.append("\nThe course works here." + (" See the warnings." if counts["warning"] else ""))
    return "\n".join(lines)
