"""The command line's door: it knows every word, and loads one only when it is called, so that --help stays quick."""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType

import click

# word: where it is defined, and its line in --help (a test holds this line to the word's own)
WORDS = MappingProxyType(
    {
        "bench": ("bench:command", "Run a benchmark, or list them."),
        "board": ("board:command", "Show where a class stands, from its exported progress; no names unless asked."),
        "build": ("build:command", "Build notebooks/, labs/ and solutions/ from course/."),
        "check": ("learner:check", "Check the answers in lab notebooks; a UNIT means your own copy of its lab."),
        "doctor": ("doctor:command", "Show what this machine has, and how to get what is missing."),
        "drill": ("drill:command", "Practise for an interview: 24 drills with a clock, a rubric and a mock interview."),
        "explore": ("explore:command", "Try the interleavings of a scenario in a file of your own."),
        "faults": ("faults:command", "Show every bug of the course, its control and its fix."),
        "grade": ("grade:command", "Grade a folder of submitted labs; what a submission does cannot raise its grade."),
        "handout": ("handout:command", "Write one printable page for each unit: its line, its picture, its commands."),
        "hub": ("hub:command", "Run a JupyterHub for a class on this machine."),
        "progress": ("learner:progress", "Show what you have solved, or export it."),
        "release": ("release:command", "Write the labs as sources for nbgrader, which hands them out and collects them."),
        "reset": ("learner:reset", "Start a lab again; your old copy is kept, with its date, in my-labs/backups/."),
        "site": ("site:command", "Build the course as web pages, with boxes that run its programs in the browser."),
        "start": ("learner:start", "Copy a unit's lab to my-labs/, where your work is safe from updates."),
    }
)


class Door(click.Group):
    """A group whose words are loaded when they are asked for."""

    def list_commands(self, ctx: click.Context | None) -> list[str]:
        """Return the words, in order."""
        return list(WORDS)

    def get_command(self, ctx: click.Context | None, cmd_name: str) -> click.Command | None:
        """Load a word; None for one that there is not."""
        if cmd_name not in WORDS:
            return None
        module, name = WORDS[cmd_name][0].split(":")
        return getattr(import_module(f"sharedstate.commands.{module}"), name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the words with their lines, without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(word, line) for word, (_, line) in WORDS.items()])


@click.group(cls=Door, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sharedstate", message="sharedstate %(version)s")
def cli() -> None:
    """Shared State Lab: bugs of shared mutable state, reproduced, seen, fixed and proved."""


def main() -> None:
    """Enter the command line."""
    cli(prog_name="python run.py")
