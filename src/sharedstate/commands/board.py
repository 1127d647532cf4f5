"""`board`: where a class stands, from the progress files in a folder, as a page and as text."""

from __future__ import annotations

import time
from pathlib import Path

import click

from sharedstate import paths
from sharedstate.classroom.board import board, exercise_names
from sharedstate.classroom.page import page, text
from sharedstate.classroom.questions import questions
from sharedstate.classroom.records import read_folder
from sharedstate.commands.talk import friendly
from sharedstate.files import write_atomic

PAGE = "board.html"


@click.command("board")
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option("--out", default="board", show_default=True, metavar="DIR", type=click.Path(path_type=Path),
              help="Where the page goes.")
@click.option("--names", is_flag=True, help="Show who is who; without it nobody is named.")
@click.option("--stuck", default=10.0, show_default=True, metavar="MINUTES", type=click.FloatRange(0),
              help="Time at an exercise after which somebody counts as stuck.")
@click.option("--every", default=0.0, metavar="SECONDS", type=click.FloatRange(0),
              help="Look again every so many seconds, until Ctrl-C; the page in the browser follows.")
@friendly
def command(folder: Path, out: Path, names: bool, stuck: float, every: float) -> None:
    """Show where a class stands, from its exported progress; no names unless asked."""
    click.echo(look(folder, out, names, 60 * stuck, every))
    while every:
        time.sleep(every)
        click.echo(look(folder, out, names, 60 * stuck, every))


def look(folder: Path, out: Path, names: bool, stuck: float, every: float) -> str:
    """Write the page of this moment into `out`; return the board as text. Raises what `read_folder` raises."""
    lessons = paths.root() / "notebooks"
    seen = board(read_folder(folder, waiting=bool(every)), time.time(), exercise_names(), questions(lessons), stuck)
    target = out / PAGE
    write_atomic(target, page(seen, names, every))
    target.chmod(0o644)  # a folder that a web server shows may be another user's to read
    return f"{text(seen, names)}\n\nWritten: {target}"
