"""What a graded folder leaves behind: grades.csv, exercises.csv, grades.json, and a feedback page for each learner."""

from __future__ import annotations

import csv
import hashlib
import html
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path

from sharedstate import palette
from sharedstate.checks.schedule_table import table
from sharedstate.files import write_atomic
from sharedstate.grading.work import Row

GRADES = ("learner", "notebook", "unit", "points", "max_points", "reason", "message")
EXERCISES = ("learner", "notebook", "id", "title", "points", "max_points", "reason", "message")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would compute what begins so
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width"><title>Feedback for {learner}</title>
<style>body {{font-family: system-ui, sans-serif; max-width: 60em; margin: 1em auto; padding: 0 1em; line-height: 1.5}}
section {{border-left: 6px solid {leak}; padding: 2px 12px; margin: 1em 0}} section.ok {{border-color: {isolated}}}
pre {{white-space: pre-wrap}}</style></head>
<body><h1>Feedback for {learner}</h1>
{body}
</body></html>
"""


def write_report(rows: Sequence[Row], out: Path, seed: int) -> None:
    """Write all files of a report into a folder."""
    write_atomic(out / "grades.csv", _csv(GRADES, rows))
    lines = [{**each, "learner": row["learner"], "notebook": row["notebook"]}
             for row in rows for each in row["exercises"]]
    write_atomic(out / "exercises.csv", _csv(EXERCISES, lines))
    data = {"seed": seed, "boxes": boxes(rows), "submissions": [*rows]}
    write_atomic(out / "grades.json", json.dumps(data, indent=1))
    for learner in dict.fromkeys(row["learner"] for row in rows):
        own = [row for row in rows if row["learner"] == learner]
        write_atomic(out / "feedback" / f"{file_name(learner)}.html", page(learner, own))


def boxes(rows: Sequence[Row]) -> list[str]:
    """Return the boxes in which submissions ran, in words."""
    return sorted({row["box"] for row in rows if row["box"]})


def file_name(learner: str) -> str:
    """Return a name that any file system takes, and that no two learners share."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", learner)[:60].lstrip(".")
    digest = hashlib.sha256(learner.encode(errors="surrogatepass")).hexdigest()
    return plain if plain == learner else f"{plain}-{digest[:8]}"


def _csv(columns: Sequence[str], rows: Sequence[Row]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row[column]) for column in columns] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    if type(value) is not str:
        return value
    line = _shown(" ".join(value.split()))
    return f"'{line}" if line.startswith(FORMULA) else line


def _shown(text: str) -> str:
    return text.encode(errors="replace").decode()


def page(learner: str, rows: Sequence[Row]) -> str:
    """Return a learner's feedback page: points, message and failing schedule of every exercise."""
    body = "\n".join(_notebook(row) for row in rows)
    shown = html.escape(_shown(learner))
    return PAGE.format(policy=POLICY, learner=shown, leak=palette.LEAK, isolated=palette.ISOLATED, body=_shown(body))


def _notebook(row: Row) -> str:
    earned = f"{row['points']:g} of {row['max_points']:g} points"
    parts = [f"<h2>{html.escape(row['notebook'])}: {earned}</h2>"]
    parts += [_exercise(each) for each in row["exercises"]] or [f"<p>{html.escape(row['message'])}</p>"]
    parts += [f"<p><small>{html.escape(note)}</small></p>" for note in row["notes"]]
    return "\n".join(parts)


def _exercise(each: Row) -> str:
    word = "SOLVED" if each["ok"] else "NOT YET"
    said = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(each["message"]))
    head = f"{word} {each['id']} {each['title']}: {each['points']:g} of {each['max_points']:g} points"
    plan = table(each["schedule"]) if each["schedule"] else ""
    return (f'<section class="{"ok" if each["ok"] else "wrong"}"><h3>{html.escape(head)}</h3>'
            f"<p>{said} <small>({html.escape(each['reason'])})</small></p>{plan}</section>")
