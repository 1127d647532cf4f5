"""`start` and `reset`: the learner's own copy of a lab."""

from __future__ import annotations

import click

from sharedstate import workspace
from sharedstate.commands.talk import UNIT_HELP, friendly


@click.command("start", epilog=UNIT_HELP)
@click.argument("unit")
@friendly
def start(unit: str) -> None:
    """Copy a unit's lab to my-labs/, where your work is safe from updates."""
    click.echo(f"Your copy: {workspace.start(unit)}")


@click.command("reset", epilog=UNIT_HELP)
@click.argument("unit")
@friendly
def reset(unit: str) -> None:
    """Begin a lab anew; your old copy is kept, dated, in my-labs/backups/."""
    click.echo(f"A fresh copy: {workspace.reset(unit)}")
    if kept := workspace.latest_backup(unit):
        click.echo(f"The old one:  {kept}")
