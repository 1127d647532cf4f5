"""One answer on the three paths that judge it: the lab's cell in a kernel, `check`, and `check --isolated`.

`python tests/checks/three_ways.py FOLDER` runs FOLDER/<exercise>/wrong_*.py and right_*.py and says what went amiss.
In such a file `# ---- cell` begins another cell, and `#@exercise` marks the one that takes the place of the lab's own.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from sharedstate import paths
from sharedstate.checks import Registry, Verdict
from sharedstate.checks.bank import Cell, code_cells
from sharedstate.checks.grader import Grader, Limits

PATHS = ("kernel", "check", "isolated")
STUB = re.compile(r"^ *### BEGIN SOLUTION.*?### END SOLUTION\n", re.MULTILINE | re.DOTALL)
ASKS = """
import json as _json
from sharedstate.checks import ExerciseNotSolved as _NotSolved
from sharedstate.checks import check as _check
try:
    _verdict = _check({id!r}, {answer}, seed={seed})
except _NotSolved as _problem:
    _verdict = _problem.verdict
print(_json.dumps(_verdict.to_json()))
"""


@cache
def untouched(unit: str) -> tuple[Cell, ...]:
    """Return the code cells of a unit's lab as a learner gets them."""
    lab = paths.units()[paths.resolve_unit(unit)] / "lab.py"
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(STUB.sub("", lab.read_text(encoding="utf-8")), encoding="utf-8")
        return tuple(code_cells(bare))


def answer_cells(exercise_id: str, text: str) -> list[Cell]:
    """Return the cells of an answer; the tagged one is marked, or the last."""
    parts = [part for part in re.split(r"^# ---- cell.*\n", text, flags=re.MULTILINE) if part.strip()]
    marked = [number for number, part in enumerate(parts) if "#@exercise" in part] or [len(parts) - 1]
    tag = (f"exercise:{exercise_id}",)
    return [Cell(part, tag if number == marked[0] else ()) for number, part in enumerate(parts)]


def filled(exercise_id: str, text: str, below: bool = False) -> list[Cell]:
    """Return the lab's cells with an answer in its place; `below`: in new cells under the untouched one."""
    found: list[Cell] = []
    for cell in untouched(exercise_id[:2]):
        if f"exercise:{exercise_id}" not in cell.tags:
            found.append(cell)
        elif below:
            found += [cell, *(Cell(one.source, ()) for one in answer_cells(exercise_id, text))]
        else:
            found += answer_cells(exercise_id, text)
    return found


def graded(exercise_id: str, text: str, seed: int, isolated: bool, below: bool = False) -> Verdict:
    """Return the verdict of `check`, with --isolated or without."""
    registry = Registry()
    with closing(Grader(filled(exercise_id, text, below), registry, Limits())) as grader:
        return grader.verdict(registry.exercise(exercise_id), seed, isolated)


def in_kernel(
    exercise_id: str, texts: Mapping[str, str], seed: int, below: bool = False
) -> Iterator[tuple[str, Verdict]]:
    """Yield (name, verdict) of each answer, checked in one kernel, whose names are swept away between them."""
    exercise = Registry().exercise(exercise_id)
    asks = ASKS.format(id=exercise_id, answer=exercise.answer, seed=seed)
    cells, ends = [], {}
    for name, text in texts.items():
        sources = [cell.source for cell in filled(exercise_id, text, below) if wanted(cell, exercise_id)]
        cells += ["%reset -f", *sources, asks]
        ends[name] = len(cells) - 1
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "SHAREDSTATE_MY_LABS": folder}
        client = NotebookClient(book, timeout=120, allow_errors=True, kernel_name="python3")
        client.execute(env=env)
    for name, end in ends.items():
        printed = "".join(out.get("text", "") for out in book.cells[end].outputs if out["output_type"] == "stream")
        yield name, Verdict(**json.loads(printed.strip().splitlines()[-1]))


def wanted(cell: Cell, exercise_id: str) -> bool:
    """True for what a learner runs for this exercise: other exercises and the checks' own cells are left out."""
    others = any(tag.startswith("exercise:") and tag != f"exercise:{exercise_id}" for tag in cell.tags)
    return not others and f"check(\"{exercise_id}\")" not in cell.source


def main(folder: Path, only: list[str]) -> int:
    """Run every case of a folder on all paths; 1 when any went amiss."""
    amiss = 0
    for place in sorted(one for one in folder.iterdir() if one.is_dir() and (not only or one.name in only)):
        texts = {file.stem: file.read_text(encoding="utf-8") for file in sorted(place.glob("*.py"))}
        kernel = dict(in_kernel(place.name, texts, 1))
        for name, text in texts.items():
            rows = {"kernel": kernel[name], "check": graded(place.name, text, 1, False),
                    "isolated": graded(place.name, text, 1, True)}
            bad = [path for path, verdict in rows.items() if verdict.ok is not name.startswith("right")]
            amiss += bool(bad)
            print("AMISS" if bad else "fine ", place.name, name, flush=True)
            for path, verdict in rows.items():
                print(f"        {path:8} {verdict.ok} {verdict.points:g} {verdict.reason}: {verdict.message[:160]}")
    print(f"{amiss} amiss")
    return 1 if amiss else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
