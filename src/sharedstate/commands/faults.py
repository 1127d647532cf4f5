"""`faults`: every bug of the course, shown, with its control and its fix."""

from __future__ import annotations

import sys

import click

from sharedstate.commands.talk import friendly, print_json
from sharedstate.faults import FaultReport, walk


@click.command("faults")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--runs", type=click.IntRange(1), help="How many times to show each fault.")
@click.option("--unit", help="Only the faults of one unit.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects.")
@friendly
def command(names: tuple[str, ...], runs: int | None, unit: str | None, as_json: bool) -> None:
    """Show every bug of the course, its control and its fix."""
    reports = walk(names, runs, unit)
    if as_json:
        print_json([report.to_json() for report in reports])
    else:
        click.echo(table(reports))
    sys.exit(0 if all(report.ok for report in reports) else 1)


def table(reports: list[FaultReport]) -> str:
    """Return a line for each fault, and under it what went wrong."""
    width = max([len(report.name) for report in reports], default=4)
    lines = [f"{'fault':{width}}  shown    control  fix    seconds"]
    for report in reports:
        control, fix = ("clean" if clean else "BAD" for clean in (report.control_clean, report.fix_clean))
        shown = f"{report.shown}/{report.runs}"
        lines.append(f"{report.name:{width}}  {shown:8} {control:8} {fix:6} {report.seconds:.1f}")
        if report.trouble:
            lines.append(f"  {report.trouble}")
    return "\n".join(lines)
