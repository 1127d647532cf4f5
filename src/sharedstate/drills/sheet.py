"""Drills on paper: a page of A4 each, for two people without a computer. The candidate's part is cut off or folded."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from sharedstate.drills.deck import GRADES, LEVELS, POINTS, Drill
from sharedstate.drills.views import ASKED

CODE = re.compile(r"`([^`]+)`")
STRONG = re.compile(r"\*\*([^*]+)\*\*")
STYLE = """
@page { size: A4; margin: 11mm 13mm; }
body { font: 9pt/1.3 "Liberation Sans", "DejaVu Sans", Arial, sans-serif; color: #222; margin: 0; }
section { page-break-after: always; break-after: page; }
section:last-child { page-break-after: auto; break-after: auto; }
h1 { font-size: 14pt; margin: 0 0 2pt; } h2 { font-size: 9.5pt; margin: 5pt 0 1pt; }
p, ul, ol { margin: 2pt 0 3pt; } ul, ol { padding-left: 15pt; }
.asked { font-size: 10.5pt; }
pre { font: 8.5pt/1.25 "Liberation Mono", "DejaVu Sans Mono", monospace; background: #f4f4f4; border: 1px solid #ccc;
  padding: 4pt 6pt; margin: 4pt 0; white-space: pre-wrap; }
code { font: 0.93em "Liberation Mono", "DejaVu Sans Mono", monospace; }
.cut { border-top: 1.5px dashed #555; margin: 7pt 0 4pt; padding-top: 1pt; font-size: 8pt; color: #555; }
.answer { font-size: 8.5pt; } .answer pre { font-size: 7.5pt; }
.rubric td { padding: 1pt 5pt 1pt 0; vertical-align: top; } .box { font-size: 11pt; line-height: 1; }
"""
CUT = "fold or cut here: what follows is for the interviewer"


def sheet(drills: Sequence[Drill]) -> str:
    """Return an HTML document with a page for each drill."""
    pages = "\n".join(map(page, drills))
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Interview drills</title>'
            f"<style>{STYLE}</style></head><body>\n{pages}\n</body></html>\n")


def page(drill: Drill) -> str:
    """Return one drill: the question above the line, everything to judge an answer below it."""
    way = ASKED[drill.kind].format(exercise=drill.exercise)
    rows = "".join(f'<tr><td class="box">☐</td><td>{row.points}</td><td>{marked(row.wanted)}</td></tr>'
                   for row in drill.rubric)
    asked = "".join(f"<li>{marked(question)} <i>{marked(good)}</i></li>" for question, good in drill.follow_ups)
    hints = "".join(f"<li>{marked(hint)}</li>" for hint in drill.hints)
    listed = examples(drill)
    told = f"<h2>Answers as people give them</h2>{listed}" if listed else ""
    parts = (
        f"<h1>{drill.id} · {marked(drill.title)}</h1>"
        f"<p>Level {drill.level}: {LEVELS[drill.level - 1]} · <b>{drill.minutes} minutes</b> · {POINTS} points · "
        f"{way}</p>",
        f'<div class="asked">{question(drill)}</div>',
        f'<div class="cut">{CUT}</div><div class="answer"><h2>Rubric</h2><table class="rubric">{rows}</table>',
        f"<h2>Model answer</h2>{model(drill)}",
        f"<h2>The trap</h2>{prose(drill.trap)}<h2>Follow-up questions</h2><ul>{asked}</ul>",
        f"<h2>Hints, a point each</h2><ol>{hints}</ol>{told}</div>",
    )
    return f'<section id="{drill.id}">{"".join(parts)}</section>'


def question(drill: Drill) -> str:
    """Return what is asked, with the code that is given."""
    return f"{prose(drill.question)}{pre(drill.code)}{prose(drill.say)}"


def model(drill: Drill) -> str:
    """Return the model answer, in words and in code."""
    return f"{prose(drill.answer)}{pre(drill.solution)}"


def examples(drill: Drill) -> str:
    """Return the answers as people give them, with their points; "" for a drill that has none."""
    told = "".join(f"<li>{grade}, {drill.points(one.earns)} points: <i>{marked(one.text)}</i></li>"
                   for grade in GRADES if (one := drill.examples.get(grade)))
    return f"<ul>{told}</ul>" if told else ""


def prose(text: str) -> str:
    """Return plain paragraphs and lists as HTML; backticks and double stars are kept as code and bold."""
    found = []
    for part in re.split(r"\n\s*\n", text.strip()):
        lines = part.split("\n")
        points = [n for n, line in enumerate(lines) if line.startswith("* ")]
        before = lines[: points[0]] if points else lines
        if before:
            found.append(f"<p>{marked(' '.join(before))}</p>")
        ends = [*points[1:], len(lines)]
        items = (" ".join(lines[start:end])[2:] for start, end in zip(points, ends, strict=False))
        listed = "".join(f"<li>{marked(item)}</li>" for item in items)
        found.append(f"<ul>{listed}</ul>" if listed else "")
    return "".join(found)


def marked(text: str) -> str:
    """Return one line as HTML."""
    return STRONG.sub(r"<b>\1</b>", CODE.sub(r"<code>\1</code>", html.escape(text, quote=False)))


def pre(code: str) -> str:
    """Return code as HTML; "" for none."""
    return f"<pre>{html.escape(code.strip(chr(10)), quote=False)}</pre>" if code else ""
