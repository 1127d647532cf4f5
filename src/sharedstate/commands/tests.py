"""`test`: three runs of pytest, and one sum: most tests on two workers, then two browsers, then what must be alone.

Standard library only: run.py calls this, and the tests' own plugin (tests/conftest.py) knows the options.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

WORKERS = 2
# What drives a browser: two at a time, and nothing else beside them.
BROWSER = ("tests/browser", "tests/site/test_pages.py")
# What must be alone: rates of real threads, a room of learners, and what waits for a child that measures.
ALONE = (
    "tests/classroom/test_room.py", "tests/passcodes/test_measure.py", "tests/panels/test_measured.py",
    "tests/interleave/test_testing.py", "tests/interleave/test_witness.py", "tests/interleave/test_bad_input.py",
)  # fmt: skip
NOTHING, STOPPED = 5, 2  # pytest's exit codes: no test was collected; it was interrupted
ENDS_EARLY = ("-x", "--exitfirst", "--maxfail")
ONE_RUN = ("--collect-only", "--co", "-h", "--help", "--version", "--markers", "--fixtures", "--pdb", "-n", "-p")


@dataclass
class Sum:
    """What several runs of pytest came to."""

    counts: dict[str, int] = field(default_factory=dict)
    codes: list[int] = field(default_factory=list)

    def add(self, code: int, tally: Path) -> None:
        """Take in a run: its exit code, and the counts that it left in a file (none if it broke off)."""
        self.codes.append(code)
        if tally.is_file():
            for outcome, number in json.loads(tally.read_text(encoding="utf-8")).items():
                self.counts[outcome] = self.counts.get(outcome, 0) + number

    @property
    def code(self) -> int:
        """The exit code of all: the first that is not 0; no test in one run is no fault when another had some."""
        bad = [code for code in self.codes if code not in (0, NOTHING)]
        if bad:
            return bad[0]
        return NOTHING if self.codes and all(code == NOTHING for code in self.codes) else 0

    def line(self, seconds: float) -> str:
        """The closing line, as pytest writes it."""
        order = ("failed", "passed", "skipped", "xfailed", "xpassed", "errors")
        parts = [f"{self.counts[key]} {key}" for key in order if self.counts.get(key)]
        whole = f"{', '.join(parts) or 'no tests ran'} in {int(seconds // 60)}:{int(seconds % 60):02d}"
        return f"{' ' + whole + ' ':=^100}"


def run(python: Path, arguments: list[str], call: Callable[[list[str]], int]) -> int:
    """Run the tests and return the exit code. call: runs a command to its end and returns its code.

    A call that asks for one run of pytest only (`--collect-only`, `-n 0`, a debugger) gets just that.
    """
    command = [str(python), "-m", "pytest"]
    if any(word.split("=")[0] in ONE_RUN for word in arguments):
        return call([*command, *arguments])
    named = any(Path(word.split("::")[0]).exists() for word in arguments)  # else there is no need to collect it all
    side_by_side = ["-n", str(WORKERS), "--dist", "loadfile", "--no-loadscope-reorder"]
    parts: tuple[tuple[str, list[str], tuple[str, ...]], ...] = (
        ("together", side_by_side, ()), ("browser", side_by_side, BROWSER), ("alone", [], ALONE))
    started, whole = time.monotonic(), Sum()
    with tempfile.TemporaryDirectory() as folder:
        for name, options, where in parts:
            tally = Path(folder) / name
            places = [] if named else [place for place in where if Path(place).exists()]
            run_it = [*command, "-q", "--durations=10", *options, "--part", name, *places, "--tally", str(tally)]
            whole.add(call([*run_it, *arguments]), tally)
            failed = whole.codes[-1] not in (0, NOTHING)
            if failed and (whole.codes[-1] >= STOPPED or any(word.startswith(ENDS_EARLY) for word in arguments)):
                break
    print(whole.line(time.monotonic() - started), flush=True)
    return whole.code
