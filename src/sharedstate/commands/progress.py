"""`progress`: what the learner has solved, as a table or as a file."""

from __future__ import annotations

from pathlib import Path

import click

from sharedstate import paths
from sharedstate.checks import exercises
from sharedstate.commands.talk import friendly
from sharedstate.progress import Progress


@click.command("progress")
@click.option(
    "--export", "target", metavar="FILE", type=click.Path(path_type=Path), help="Write to a .json or .csv file."
)
@friendly
def command(target: Path | None) -> None:
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
