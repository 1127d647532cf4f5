"""`build`: notebooks/, labs/ and solutions/ from course/."""

from __future__ import annotations

import sys

import click

from sharedstate import authoring
from sharedstate.commands.talk import UNIT_HELP, friendly


@click.command("build", epilog=UNIT_HELP)
@click.argument("units", nargs=-1, metavar="[UNIT]...")
@click.option(
    "--check", is_flag=True, help="Write nothing; fail when a built notebook differs from its source."
)
@friendly
def command(units: tuple[str, ...], check: bool) -> None:
    """Build notebooks/, labs/ and solutions/ from course/."""
    try:
        problems = authoring.build(units, check)
    except authoring.AuthoringError as error:
        raise click.ClickException(str(error)) from error
    for problem in problems:
        click.echo(str(problem))
    if problems:
        click.echo(f"{len(problems)} to correct.")
        sys.exit(1)
    click.echo("Every notebook agrees with its source." if check else "Built.")
