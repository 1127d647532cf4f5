"""`drill`: the interview drills. List, show, print; the clock, hints, the score; a mock interview for two."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from sharedstate.commands.talk import friendly
from sharedstate.drills import Drill, DrillBook, DrillError, deck, drill, interview, views
from sharedstate.drills.mock import LENGTHS
from sharedstate.drills.sheet import sheet
from sharedstate.files import write_atomic
from sharedstate.wording import count

Clock = Callable[[], float]
INTERVIEWER = click.option("--interviewer", is_flag=True, help="Show rubric, model answer, trap and follow-ups, too.")
PRINT = click.option("--print", "target", metavar="FILE.html", type=click.Path(path_type=Path),
                     help="Write an A4 page for each drill, question above and rubric below a line.")  # fmt: skip


@click.group("drill", invoke_without_command=True)
@click.pass_context
@friendly
def command(ctx: click.Context) -> None:
    """Practise for an interview: 24 drills with a clock, a rubric and a mock interview."""
    if ctx.invoked_subcommand is None:
        click.echo(views.listing(deck(), _book()))


@command.command("show")
@click.argument("names", nargs=-1, metavar="[ID]...")
@INTERVIEWER
@PRINT
@friendly
def show(names: tuple[str, ...], interviewer: bool, target: Path | None) -> None:
    """Show drills as the candidate sees them; without an ID, all."""
    _out([drill(name) for name in names] or deck(), interviewer, target, _one_by_one)


@command.command("mock")
@click.option("--minutes", type=click.Choice([str(n) for n in LENGTHS]), default=str(min(LENGTHS)), show_default=True)
@click.option("--seed", type=int, required=True, help="The same seed gives the same interview.")
@INTERVIEWER
@PRINT
@friendly
def mock(minutes: str, seed: int, interviewer: bool, target: Path | None) -> None:
    """Draw a mock interview; the interviewer uses the same seed, with --interviewer."""
    _out(interview(deck(), int(minutes), seed), interviewer, target, views.plan)


@command.command("start")
@click.argument("name", metavar="ID")
@click.pass_obj
@friendly
def start(clock: Clock | None, name: str) -> None:
    """Start the clock of a drill, and show its question."""
    one, book = drill(name), _book()
    book.start(one, _now(clock))
    click.echo(f"{views.candidate(one)}\n\nThe clock runs. `drill hint` costs a point, `drill stop` ends it.")


@command.command("hint")
@friendly
def hint() -> None:
    """Show the next hint of the drill that runs; it costs a point."""
    book = _book()
    click.echo(book.hint(_running(book)))


@command.command("clock")
@click.pass_obj
@friendly
def clock_(clock: Clock | None) -> None:
    """Show how the time of the drill that runs stands."""
    book = _book()
    one, running = _running(book), book.running
    assert running is not None
    click.echo(views.clock(one, running.seconds(_now(clock)), running.hints))


@command.command("stop")
@click.pass_obj
@friendly
def stop(clock: Clock | None) -> None:
    """Stop the clock, and show the rubric and the model answer."""
    book = _book()
    one = _running(book)
    book.stop(one, _now(clock))
    running = book.running
    assert running is not None
    said = views.clock(one, running.seconds(0), running.hints)
    click.echo(f"{views.interviewer(one)}\n\n{said} Which rows did the answer earn? `drill score 1 3`, or 0 for none.")


@command.command("score")
@click.argument("rows", nargs=-1, type=int, required=True, metavar="ROW...")
@click.pass_obj
@friendly
def score(clock: Clock | None, rows: tuple[int, ...]) -> None:
    """Say which rows of the rubric the answer earns, 0 for none; the score is kept."""
    book = _book()
    one = _running(book)
    click.echo(views.result(book.score(one, [row for row in rows if row != 0], _now(clock))))


@command.command("drop")
@friendly
def drop() -> None:
    """Forget the drill that runs: no score is kept."""
    book = _book()
    one = _running(book)
    book.drop(one)
    click.echo(f"{one.id} is dropped.")


@command.command("history")
@friendly
def history() -> None:
    """Show every try, the oldest first."""
    tries = _book().tries
    click.echo("\n".join(map(views.result, tries)) or "No drill was done yet: `python run.py drill start D01`.")


def _out(
    drills: Sequence[Drill], interviewer: bool, target: Path | None,
    text: Callable[[Sequence[Drill], Callable[[Drill], str]], str],
) -> None:  # fmt: skip
    if target is not None:
        write_atomic(target, sheet(drills))
        click.echo(f"Written: {target}, {count(len(drills), 'page')}.")
    else:
        click.echo(text(drills, views.interviewer if interviewer else views.candidate))


def _one_by_one(drills: Sequence[Drill], view: Callable[[Drill], str]) -> str:
    return f"\n\n{'=' * 72}\n".join(map(view, drills))


def _book() -> DrillBook:
    book = DrillBook.load()
    if book.notice:
        click.echo(book.notice, err=True)
    return book


def _running(book: DrillBook) -> Drill:
    if book.running is None:
        raise DrillError("No drill is running: `python run.py drill start D01`.")
    return drill(book.running.drill)


def _now(clock: Clock | None) -> float:
    return (clock or time.time)()
