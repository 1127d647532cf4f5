"""A learner's own words: `start` and `reset` a copy of a lab, `check` its answers, see one's `progress`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from sharedstate import paths, workspace
from sharedstate.checks import exercises
from sharedstate.checks.extract import NotebookUnreadable
from sharedstate.checks.notebook import NotebookReport, check_notebook
from sharedstate.commands.talk import UNIT_HELP, friendly, print_json
from sharedstate.progress import Progress

LANGUAGE = click.option(
    "--language", type=click.Choice(paths.LANGUAGES[1:]), help="In another language, where there is one."
)


@click.command("start", epilog=UNIT_HELP)
@click.argument("unit")
@LANGUAGE
@friendly
def start(unit: str, language: str | None) -> None:
    """Copy a unit's lab to my-labs/, where your work is safe from updates."""
    click.echo(f"Your copy: {workspace.start(unit, language or '')}")


@click.command("reset", epilog=UNIT_HELP)
@click.argument("unit")
@LANGUAGE
@friendly
def reset(unit: str, language: str | None) -> None:
    """Start a lab again; your old copy is kept, with its date, in my-labs/backups/."""
    click.echo(f"A fresh copy: {workspace.reset(unit, language or '')}")
    if kept := workspace.latest_backup(unit):
        click.echo(f"The old one:  {kept}")


@click.command("check")
@click.argument("notebooks", nargs=-1, required=True, metavar="NOTEBOOK...", type=click.Path(path_type=Path))
@click.option("--isolated", is_flag=True, help="Judge in a process that never ran the notebook's code.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects.")
@friendly
def check(notebooks: tuple[Path, ...], isolated: bool, as_json: bool) -> None:
    """Check the answers in lab notebooks; a UNIT means your own copy of its lab."""
    outcomes = [_checked(path, isolated) for path in notebooks]
    if as_json:
        print_json([one.to_json() if isinstance(one, NotebookReport) else one for one in outcomes])
    else:
        for one in outcomes:
            click.echo(str(one) if isinstance(one, NotebookReport) else f"{one['path']}: {one['error']}")
    sys.exit(0 if all(isinstance(one, NotebookReport) and one.ok for one in outcomes) else 1)


def _checked(word: Path, isolated: bool) -> NotebookReport | dict[str, object]:
    """Return the report of one notebook; of one that cannot be checked, {"path", "ok": False, "error": why}."""
    try:
        return check_notebook(workspace.copy_of(word), isolated=isolated)
    except (NotebookUnreadable, workspace.WorkspaceError, ValueError, OSError) as problem:
        return {"path": str(word), "ok": False, "error": str(problem)}


@click.command("progress")
@click.option(
    "--export", "target", metavar="FILE", type=click.Path(path_type=Path), help="Write to a .json or .csv file."
)
@friendly
def progress(target: Path | None) -> None:
    """Show what you have solved, or export it."""
    record = Progress.load()
    if record.notice:
        click.echo(record.notice, err=True)
    click.echo(f"Written: {record.export(target)}" if target else table(record))


def table(record: Progress) -> str:
    """Return a line per unit: exercises solved, points, minutes."""
    lines = ["unit                      solved  points     minutes"]
    for name in paths.units():
        unit, asked = name[:2], exercises(name)
        solved = sum(record.solved(exercise.id) for exercise in asked)
        points = f"{record.points(unit):g}/{sum(exercise.points for exercise in asked):g}"
        lines.append(f"{name:24}  {solved}/{len(asked):<4}  {points:9}  {record.seconds(unit) / 60:.0f}")
    return "\n".join(lines)
