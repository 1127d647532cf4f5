"""`check`: judge the answers in lab notebooks."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from sharedstate import workspace
from sharedstate.checks.extract import NotebookUnreadable
from sharedstate.checks.notebook import NotebookReport, check_notebook
from sharedstate.commands.talk import friendly, print_json


@click.command("check")
@click.argument("notebooks", nargs=-1, required=True, metavar="NOTEBOOK...", type=click.Path(path_type=Path))
@click.option("--isolated", is_flag=True, help="Judge in a process that never ran the notebook's code.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects.")
@friendly
def command(notebooks: tuple[Path, ...], isolated: bool, as_json: bool) -> None:
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
