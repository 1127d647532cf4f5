"""`explore`: the interleavings of a scenario in a file of one's own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from sharedstate.commands.talk import friendly, print_json
from sharedstate.interleave.explore_file import CannotExplore, explore_file


@click.command(
    "explore",
    epilog="Exit code: 0 proved (or bounded, where a bound was asked for), 1 anything else, 2 nothing was "
    "explored. What it can and cannot say: docs/explorer.md."
)
@click.argument("target", metavar="FILE::SCENARIO")
@click.option("--strategy", help="How to search: dpor (the default), all, preemptions, random, pct.")
@click.option("--preemptions", type=click.IntRange(0), help="Only schedules with at most this many preemptions.")
@click.option("--executions", type=click.IntRange(1), help="Stop after this many schedules.")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Stop after this time.")
@click.option("--seed", type=int, help="For the random strategies.")
@click.option("--whole", is_flag=True, help="Do not stop at the first failure: find every outcome.")
@click.option("--replay", metavar="TOKEN", help="Play one schedule again instead of searching.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
@click.option("--svg", metavar="FILE", type=click.Path(path_type=Path), help="Draw the failing schedule.")
@friendly
def command(
    target: str, replay: str | None, whole: bool, as_json: bool, svg: Path | None, **options: Any
) -> None:
    """Try the interleavings of a scenario in a file of your own."""
    try:
        given = {name: value for name, value in options.items() if value is not None}
        report = explore_file(target, replay, whole, **given)
    except CannotExplore as problem:
        click.echo(f"Error: {problem}", err=True)
        sys.exit(2)
    print_json(report.data) if as_json else click.echo(report.text)
    if svg and report.trace:
        svg.write_text(report.trace.show("svg").svg, encoding="utf-8")
    elif svg:
        click.echo(f"No failing schedule to draw: {svg} was not written.", err=True)
    sys.exit(report.code)
