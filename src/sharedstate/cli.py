"""The command line. Each command imports what it needs when it runs, so that --help stays quick."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from sharedstate.checks.notebook import NotebookReport

UNIT_HELP = "UNIT is a unit's number or name, for example 01."


def friendly(command: Callable[..., Any]) -> Callable[..., Any]:
    """Turn errors that a person can act on into one message and exit code 1; others keep their traceback."""

    @wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except ModuleNotFoundError as problem:
            if (problem.name or "").split(".")[0] == "sharedstate":
                raise
            raise click.ClickException(
                f"{problem.name} is not installed. {_remedy(problem.name or '')}"
            ) from problem
        except (ValueError, OSError, RuntimeError) as problem:
            raise click.ClickException(str(problem) or type(problem).__name__) from problem

    return wrapped


def _remedy(module: str) -> str:
    """Say which call installs a missing module."""
    building = ("jupytext", "nbgrader", "nbclient", "nbconvert", "nbformat", "yaml")
    word = "build" if module in building else "doctor"
    return f"`python run.py {word}` installs what it needs."


def print_json(data: object) -> None:
    """Print data as JSON on one stream, readable by people and programs."""
    click.echo(json.dumps(data, indent=1, ensure_ascii=False))


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sharedstate", message="sharedstate %(version)s")
def cli() -> None:
    """Shared State Lab: bugs of shared mutable state, reproduced, seen, fixed and proved."""


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="Print findings as JSON.")
@click.option("--quick", is_flag=True, help="Leave out what takes seconds: a kernel's start, torch's import.")
@friendly
def doctor(as_json: bool, quick: bool) -> None:
    """Say what this machine has, and the remedy for what it lacks."""
    from sharedstate import doctor

    findings = doctor.examine(quick=quick)
    if as_json:
        print_json({"ok": doctor.healthy(findings), "findings": [finding.as_dict() for finding in findings]})
    else:
        click.echo(doctor.report(findings))
    sys.exit(0 if doctor.healthy(findings) else 1)


@cli.command(epilog=UNIT_HELP)
@click.argument("units", nargs=-1, metavar="[UNIT]...")
@click.option(
    "--check", is_flag=True, help="Write nothing; fail when a built notebook differs from its source."
)
@friendly
def build(units: tuple[str, ...], check: bool) -> None:
    """Build notebooks/, labs/ and solutions/ from course/."""
    from sharedstate import authoring

    try:
        problems = authoring.build(units, check)
    except authoring.AuthoringError as problem:
        raise click.ClickException(str(problem)) from problem
    for problem in problems:
        click.echo(str(problem))
    if problems:
        click.echo(f"{len(problems)} to put right.")
        sys.exit(1)
    click.echo("Everything is as its source says." if check else "Built.")


@cli.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--runs", type=click.IntRange(1), help="How often each fault is shown.")
@click.option("--unit", help="Only the faults of one unit.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects.")
@friendly
def faults(names: tuple[str, ...], runs: int | None, unit: str | None, as_json: bool) -> None:
    """Show every bug of the course, its control and its fix."""
    from sharedstate.faults import walk

    reports = walk(names, runs, unit)
    if as_json:
        print_json([report.to_json() for report in reports])
    else:
        width = max([len(report.name) for report in reports], default=4)
        click.echo(f"{'fault':{width}}  shown    control  fix    seconds")
        for report in reports:
            control, fix = ("clean" if clean else "BAD" for clean in (report.control_clean, report.fix_clean))
            shown = f"{report.shown}/{report.runs}"
            click.echo(f"{report.name:{width}}  {shown:8} {control:8} {fix:6} {report.seconds:.1f}")
            if report.trouble:
                click.echo(f"  {report.trouble}")
    sys.exit(0 if all(report.ok for report in reports) else 1)


@cli.command()
@click.argument("notebooks", nargs=-1, required=True, metavar="NOTEBOOK...", type=click.Path(path_type=Path))
@click.option("--isolated", is_flag=True, help="Judge in a process that never ran the notebook's code.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects.")
@friendly
def check(notebooks: tuple[Path, ...], isolated: bool, as_json: bool) -> None:
    """Check the answers in lab notebooks; a UNIT means your own copy of its lab."""
    from sharedstate import workspace
    from sharedstate.checks.notebook import check_notebook

    paths = [workspace.copy_of(path) for path in notebooks]
    reports: list[NotebookReport] = [check_notebook(path, isolated=isolated) for path in paths]
    if as_json:
        print_json([report.to_json() for report in reports])
    else:
        for report in reports:
            click.echo(str(report))
    sys.exit(0 if all(report.ok for report in reports) else 1)


@cli.command(epilog=UNIT_HELP)
@click.argument("unit")
@friendly
def start(unit: str) -> None:
    """Copy a unit's lab to my-labs/, where your work is safe from updates."""
    from sharedstate import workspace

    click.echo(f"Your copy: {workspace.start(unit)}")


@cli.command(epilog=UNIT_HELP)
@click.argument("unit")
@friendly
def reset(unit: str) -> None:
    """Begin a lab anew; your old copy is kept, dated, in my-labs/backups/."""
    from sharedstate import workspace

    click.echo(f"A fresh copy: {workspace.reset(unit)}")
    if kept := workspace.latest_backup(unit):
        click.echo(f"The old one:  {kept}")


@cli.command()
@click.option(
    "--export",
    "target",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write to a .json or .csv file.",
)
@friendly
def progress(target: Path | None) -> None:
    """Show what you have solved, or export it."""
    from sharedstate.progress import Progress

    record = Progress.load()
    if record.notice:
        click.echo(record.notice, err=True)
    if target:
        click.echo(f"Written: {record.export(target)}")
        return
    click.echo(progress_table(record))


def progress_table(record: Any) -> str:
    """Return a line per unit: exercises solved, points, minutes."""
    from sharedstate import paths
    from sharedstate.checks import exercises

    lines = ["unit                      solved  points     minutes"]
    for name in paths.units():
        unit, asked = name[:2], exercises(name)
        solved = sum(record.solved(exercise.id) for exercise in asked)
        points = f"{record.points(unit):g}/{sum(exercise.points for exercise in asked):g}"
        lines.append(f"{name:24}  {solved}/{len(asked):<4}  {points:9}  {record.seconds(unit) / 60:.0f}")
    return "\n".join(lines)


@cli.command()
@click.argument("name", required=False)
@click.option(
    "--json", "as_json", is_flag=True, help="Print one flat object of figures with a sub-object `spread`."
)
@friendly
def bench(name: str | None, as_json: bool) -> None:
    """Run a benchmark, or list them."""
    from sharedstate import bench

    if name is None:
        found = bench.available()
        print_json(found) if as_json else click.echo("\n".join(f"{k:12} {v}" for k, v in found.items()))
        return
    figures = bench.run(name)
    print_json(figures) if as_json else click.echo(bench.table(figures))


@cli.command(
    epilog="Exit code: 0 proved (or bounded, where a bound was asked for), 1 anything else, 2 nothing was "
    "explored. What it can and cannot say: docs/explorer.md."
)
@click.argument("target", metavar="FILE::SCENARIO")
@click.option("--strategy", help="How to search: dpor (if nothing is said), all, preemptions, random, pct.")
@click.option("--preemptions", type=click.IntRange(0), help="Only schedules with at most this many.")
@click.option("--executions", type=click.IntRange(1), help="Stop after this many schedules.")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Stop after this time.")
@click.option("--seed", type=int, help="For the random strategies.")
@click.option("--replay", metavar="TOKEN", help="Play one schedule again instead of searching.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
@click.option("--svg", metavar="FILE", type=click.Path(path_type=Path), help="Draw the failing schedule.")
@friendly
def explore(target: str, replay: str | None, as_json: bool, svg: Path | None, **options: Any) -> None:
    """Try the interleavings of a scenario in a file of your own."""
    from sharedstate.interleave.explore_file import CannotExplore, explore_file

    try:
        given = {name: value for name, value in options.items() if value is not None}
        report = explore_file(target, replay, **given)
    except CannotExplore as problem:
        click.echo(f"Error: {problem}", err=True)
        sys.exit(2)
    print_json(report.data) if as_json else click.echo(report.text)
    if svg and report.trace is None:
        click.echo(f"No failing schedule to draw: {svg} was not written.", err=True)
    elif svg:
        svg.write_text(report.trace.show("svg").svg, encoding="utf-8")
    sys.exit(report.code)


def main() -> None:
    """Enter the command line."""
    cli(prog_name="python run.py")
