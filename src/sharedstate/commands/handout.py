"""`handout`: one printable page for each unit: its line, its picture, its commands."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import click
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from sharedstate import paths, syllabus
from sharedstate.commands.talk import friendly

TAG = "handout"  # of the lesson's cell whose picture is printed
LINE = re.compile(r"^## The line.*?(?=^## |\Z)", re.M | re.S)
PICTURE = re.compile(r"<img [^>]*>")
STYLE = """
@page { size: A4; margin: 14mm }
body { font: 11pt/1.35 sans-serif; max-width: 180mm; margin: 0 auto; color: #111 }
h1 { font-size: 18pt; margin: 0 0 2mm } h2 { font-size: 13pt; margin: 4mm 0 1mm }
p { margin: 1.5mm 0 } figure { margin: 3mm 0; text-align: center }
figure img { width: auto !important; max-width: 100% !important; max-height: 88mm }
.anchor-link { display: none } table { border-collapse: collapse; margin: 2mm 0 }
td, th { border: 1px solid #999; padding: 1mm 2mm; text-align: left; vertical-align: top; font-size: 10pt }
pre { font-size: 9.5pt; background: #f4f4f4; padding: 2mm; margin: 1mm 0 } code { font-size: 95% }
"""


@click.command("handout")
@click.argument("wanted", nargs=-1, metavar="[UNIT]...")
@click.option("--out", type=click.Path(path_type=Path), default=Path("handouts"), show_default=True, help="The folder.")
@friendly
def command(wanted: tuple[str, ...], out: Path) -> None:
    """Write one printable page for each unit: its line, its picture, its commands."""
    names = [paths.resolve_unit(word) for word in wanted] or list(paths.units())
    for name in names:
        unit = syllabus.read(paths.units()[name])
        notebook = paths.root() / "notebooks" / paths.notebook_name(name, "lesson")
        target = out / f"handout_{name}.html"
        out.mkdir(parents=True, exist_ok=True)
        target.write_text(page(unit, json.loads(notebook.read_text(encoding="utf-8"))), encoding="utf-8")
        click.echo(target)


def page(unit: syllabus.Unit, notebook: dict) -> str:
    """Return a unit's page as HTML; it asks no other address for anything, and fits on one sheet of A4.

    notebook: the lesson, executed, as JSON.
    Raises ValueError when the lesson has no part "The line", or no picture in a cell tagged `handout`.
    """
    title = f"{unit.number} · {html.escape(unit.title)}"
    body = f"<h1>{title}</h1>{_picture(unit, notebook)}{markdown2html_mistune(_line(unit, notebook))}"
    told = html.escape("\n".join(_commands(unit)))
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
            f"</head><body>{body}<h2>The commands</h2><pre>{told}</pre></body></html>\n")


def _line(unit: syllabus.Unit, notebook: dict) -> str:
    texts = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    found = LINE.search("\n\n".join(texts))
    if not found:
        raise ValueError(f"Lesson {unit.number} has no part '## The line'.")
    return found[0].strip()


def _picture(unit: syllabus.Unit, notebook: dict) -> str:
    cells = [cell for cell in notebook["cells"] if TAG in cell["metadata"].get("tags", ())]
    shown = ["".join(output.get("data", {}).get("text/html", "")) for cell in cells for output in cell["outputs"]]
    found = PICTURE.search("".join(shown))
    if not found:
        raise ValueError(f"Lesson {unit.number} has no picture in a cell tagged '{TAG}': `python run.py build {unit.number}`.")
    return f"<figure>{found[0]}</figure>"  # its title is its message, and its alt text


def _commands(unit: syllabus.Unit) -> list[str]:
    told = [(f"python run.py lab {unit.number}", "opens the lesson")]
    if unit.exercises:
        told += [(f"python run.py start {unit.number}", "your own copy of the lab, in my-labs/"),
                 (f"python run.py check {unit.number}", "says what is wrong with your answers"),
                 (f"python run.py faults --unit {unit.number}", "shows its bugs, their controls, their fixes")]
    else:
        told += [("python run.py doctor", "what this machine has"), ("python run.py progress", "what you have solved")]
    width = max(len(words) for words, _ in told)
    return [f"{words:{width}}   {what}" for words, what in told]
