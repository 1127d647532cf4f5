"""`check`: judge the answers in lab notebooks."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from sharedstate import workspace
from sharedstate.checks.notebook import check_notebook
from sharedstate.commands.talk import friendly, print_json


@click.command("check")
@click.argument("notebooks", nargs=-1, required=True, metavar="NOTEBOOK...", type=click.Path(path_type=Path))
@click.option("--isolated", is_flag=True, help="Judge in a process that never ran the notebook's code.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects.")
@friendly
def command(notebooks: tuple[Path, ...], isolated: bool, as_json: bool) -> None:
    """Check the answers in lab notebooks; a UNIT means your own copy of its lab."""
    paths = [workspace.copy_of(path) for path in notebooks]
    reports = [check_notebook(path, isolated=isolated) for path in paths]
    if as_json:
        print_json([report.to_json() for report in reports])
    else:
        for report in reports:
            click.echo(str(report))
    sys.exit(0 if all(report.ok for report in reports) else 1)
