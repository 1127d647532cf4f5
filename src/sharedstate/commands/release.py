"""`release`: a course folder for nbgrader, with the labs as its sources."""

from __future__ import annotations

from pathlib import Path

import click

from sharedstate.authoring.release import release
from sharedstate.authoring.source import AuthoringError
from sharedstate.commands.talk import UNIT_HELP, friendly


@click.command("release", epilog=UNIT_HELP)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.argument("units", nargs=-1, metavar="[UNIT]...")
@friendly
def command(folder: Path, units: tuple[str, ...]) -> None:
    """Write the labs as sources for nbgrader, which hands them out and collects them."""
    try:
        written = release(folder, units)
    except AuthoringError as error:
        raise click.ClickException(str(error)) from error
    for path in written:
        click.echo(f"wrote {path}")
    click.echo(f"Next, in {folder}: nbgrader generate_assignment UNIT (docs/grading.md).")
