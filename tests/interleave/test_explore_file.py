"""`sharedstate explore FILE::SCENARIO` on files of learners: passing, failing, not instrumented."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sharedstate.cli import cli

EXAMPLES = Path(__file__).parent / "examples"
PASSING, FAILING, PLAIN = (str(EXAMPLES / f"{n}.py") for n in ("passing", "failing", "nothing_shared"))


def explore(*words: str) -> Result:
    """Run the command in this process; an unforeseen exception fails the test."""
    result = CliRunner().invoke(cli, ["explore", *words], prog_name="sharedstate")
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def mine(tmp_path: Path):
    """Write a learner's file and return its path as text."""

    def written(text: str, name: str = "mine.py") -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return written


# --- the three files


def test_a_proof() -> None:
    done = explore(f"{PASSING}::room")
    assert done.exit_code == 0, done.output
    assert "proved: 2 of 2 classes" in done.stdout
    assert "talks" not in done.stdout and "talks" in done.stderr, "what the file prints is not the report"


def test_a_broken_program_and_its_replay() -> None:
    done = explore(f"{FAILING}::make_counter")
    assert done.exit_code == 1
    assert "broken: stopped at the first failure" in done.stdout and done.stdout.count("reads n 0") == 2
    target, token = re.search(r"python run.py explore (\S+) --replay (\S+)", done.stdout).groups()
    again = explore(target, "--replay", token)
    assert again.exit_code == 1 and again.stdout.startswith("broken: 4 steps") and token in again.stdout


def test_a_deadlock() -> None:
    done = explore(f"{FAILING}::desk")
    assert done.exit_code == 1 and "deadlock: " in done.stdout and "held by ann" in done.stdout


def test_nothing_shared_is_a_proof() -> None:
    done = explore(f"{PLAIN}::sums")
    assert done.exit_code == 0
    assert "proved: nothing is shared" in done.stdout


def test_as_a_process() -> None:
    command = [sys.executable, "-m", "sharedstate", "explore", f"{FAILING}::desk", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and json.loads(done.stdout)["verdict"] == "deadlock", done.stderr


# --- options


def test_bounded_is_fine_only_where_a_bound_was_asked_for() -> None:
    for words in (("--preemptions", "0"), ("--strategy", "preemptions", "--preemptions", "0")):
        done = explore(f"{PASSING}::room", *words)
        assert done.exit_code == 0 and re.search("bounded|proved", done.stdout), done.output
    sampled = explore(f"{PASSING}::room", "--strategy", "random", "--executions", "20", "--seed", "1")
    assert sampled.exit_code == 1 and "ran out" in sampled.stdout
    short = explore(f"{PASSING}::room", "--executions", "1")
    assert short.exit_code == 1 and "nothing is proved" in short.stdout


@pytest.mark.parametrize("words", [("--preemptions", "-1"), ("--executions", "0"), ("--seconds", "0"), ()])
def test_options_that_make_no_sense(words: tuple[str, ...]) -> None:
    assert explore(*(f"{PASSING}::room", *words) if words else ()).exit_code == 2


def test_an_unknown_strategy_is_said_with_the_ones_there_are() -> None:
    done = explore(f"{PASSING}::room", "--strategy", "magic")
    assert done.exit_code == 2 and "strategy must be one of all, " in done.stderr and not done.stdout


def test_json_holds_the_whole_schedule() -> None:
    data = json.loads(explore(f"{FAILING}::make_counter", "--json").stdout)
    assert data["verdict"] == "broken" and data["schedule"]["confirmed"] is True
    steps = data["schedule"]["steps"]
    assert [(s["thread"], s["kind"], s["value"]) for s in steps] == [
        ("ann", "read", "0"), ("ben", "read", "0"), ("ben", "write", "1"), ("ann", "write", "1"),
    ]  # fmt: skip
    replayed = json.loads(
        explore(f"{FAILING}::make_counter", "--replay", data["schedule"]["token"], "--json").stdout
    )
    assert replayed["schedule"]["steps"][3]["value"] == "1" and replayed["verdict"] == "broken"
    fine = json.loads(explore(f"{PASSING}::room", "--json").stdout)
    assert fine["verdict"] == "proved" and fine["schedule"] is None and fine["assumptions"] == []


def test_svg_draws_the_failing_schedule(tmp_path: Path) -> None:
    done = explore(f"{FAILING}::desk", "--svg", str(tmp_path / "desk.svg"))
    assert done.exit_code == 1 and ET.parse(tmp_path / "desk.svg").getroot().tag.endswith("svg")
    fine = explore(f"{PASSING}::room", "--svg", str(tmp_path / "room.svg"))
    assert fine.exit_code == 0 and "No failing schedule" in fine.stderr
    assert not (tmp_path / "room.svg").exists()


def test_the_search_stops_at_the_first_failure_unless_told_otherwise(mine) -> None:
    counter = f"{FAILING}::make_counter"
    first, whole = (json.loads(explore(counter, "--json", *more).stdout) for more in ((), ("--whole",)))
    assert first["verdict"] == whole["verdict"] == "broken"
    assert first["executions"] < whole["executions"] and first["outcomes"] <= whole["outcomes"]
    assert whole["coverage"] == "4 of 4 classes" and first["schedule"]["steps"] == whole["schedule"]["steps"]
    text = (
        "from sharedstate.interleave import Scenario\n"
        "shelf = Scenario(list, {'ben': lambda s: s.pop(), 'ann': lambda s: [s.append(n) for n in 'abc']})\n"
    )
    stopped, through = (explore(f"{mine(text)}::shelf", *more).stdout for more in ((), ("--whole",)))
    assert "raised: ben raised IndexError" in stopped and "stopped at the first failure" in stopped
    assert "raised: ben raised IndexError" in through and "stopped" not in through
    assert "--whole" in explore("--help").stdout


def test_notes_and_the_second_witness_are_printed_with_every_verdict(mine) -> None:
    text = (
        "from sharedstate.interleave import Scenario\n"
        "quiet = Scenario(list, {'ann': lambda s: s.append(1), 'ben': lambda s: s.append(2)})\n"
        "loud = Scenario(list, {'ann': lambda s: s.pop()})\n"
    )
    proved, raised = (explore(f"{mine(text)}::{name}").stdout.splitlines() for name in ("quiet", "loud"))
    assert proved[1:3] == ["proved: 2 of 2 classes", "  nothing was asked: give never, always or observe"]
    assert re.fullmatch(r"  and \d+ schedules of single bytecodes found nothing else", proved[3])
    assert raised[1].startswith("raised: ann raised IndexError") and raised[2] == proved[2]
    data = json.loads(explore(f"{mine(text)}::quiet", "--json").stdout)
    assert data["notes"] == [proved[2].strip()] and data["witness"] and data["witness"] in proved[3]


# --- what cannot be explored: exit code 2, one short message, no traceback


def refused(*words: str) -> str:
    """Return the message of a refusal."""
    done = explore(*words)
    assert done.exit_code == 2 and not done.stdout and "Traceback" not in done.stderr, done.output
    return done.stderr


def test_a_missing_file() -> None:
    assert "There is no file 'nowhere.py' here. Write FILE::SCENARIO" in refused("nowhere.py::room")


@pytest.mark.parametrize("target", [FAILING, f"{FAILING}::", f"{FAILING}::room", f"{FAILING}::with_help"])
def test_a_missing_name_lists_the_scenarios(target: str) -> None:
    assert "failing.py::make_counter" in refused(target) and "failing.py::desk" in refused(target)
    assert "with_help," not in refused(target)


def test_a_file_without_a_scenario(mine) -> None:
    assert "There is none in it" in refused(f"{mine('x = 1')}::room")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "import os\n\nimport no_such_module\n",
            "mine.py, line 3: import no_such_module\n  ModuleNotFoundError",
        ),
        ("x = 1\ny = (\n", "mine.py, line 2: "),
        ("def f():\n    return 1 / 0\n\nf()\n", "mine.py, line 2: return 1 / 0\n  ZeroDivisionError"),
        ("import sys\nsys.exit(3)\n", "mine.py, line 2: sys.exit(3)\n  SystemExit: 3"),
    ],
)
def test_a_file_that_cannot_be_imported_names_the_line(mine, text: str, said: str) -> None:
    message = refused(f"{mine(text)}::room")
    assert "mine.py cannot be imported." in message and said in message


def test_a_function_that_does_not_give_a_scenario() -> None:
    assert "wrong() in failing.py returned Result, not a Scenario" in refused(f"{FAILING}::wrong")
    message = refused(f"{FAILING}::breaks")
    assert "breaks() in failing.py raised an error" in message and "ann must be a function" in message


def test_a_setup_that_raises_names_the_line(mine) -> None:
    text = (
        "from sharedstate.interleave import Scenario\ndef setup():\n    return {}['key']\n"
        "room = Scenario(setup, {'a': lambda state: 1})\n"
    )
    assert "line 3: return {}['key']\n  KeyError: 'key'" in refused(f"{mine(text)}::room")


def test_a_setup_that_does_not_reset_is_named(mine) -> None:
    text = (
        "from sharedstate.interleave import Scenario\nBOX = [0]\n"
        "class C:\n    box = BOX\n    def add(self):\n        self.box[0] += 1\n"
        "room = Scenario(C, {'a': lambda c: c.add(), 'b': lambda c: c.add()})\n"
    )
    assert "setup does not reset" in refused(f"{mine(text)}::room")


def test_a_token_of_other_source_or_none(mine) -> None:
    assert "not a token" in refused(f"{FAILING}::desk", "--replay", "hello")
    token = json.loads(explore(f"{FAILING}::desk", "--json").stdout)["schedule"]["token"]
    assert "other source" in refused(f"{FAILING}::make_counter", "--replay", token)


# --- nothing is left behind


def test_the_learners_folder_is_on_the_path_only_while_it_is_needed(mine) -> None:
    (Path(mine("")).parent / "later.py").write_text("ONE = 1\n")
    text = (
        "from sharedstate.interleave import Scenario\n"
        "class C:\n    n = 0\n    def __init__(self):\n        import later\n        self.n = later.ONE\n"
        "    def add(self):\n        self.n += 1\n"
        "room = Scenario(C, {'a': lambda c: c.add()})\n"
    )
    before = list(sys.path)
    done = explore(f"{mine(text)}::room")
    assert done.exit_code == 0, done.output
    assert sys.path == before and not [name for name in sys.modules if name.startswith("_explored")]


def test_a_file_named_like_a_library_hides_nothing(mine) -> None:
    text = (
        "from sharedstate.interleave import Scenario\nroom = Scenario(list, {'a': lambda x: x.append(1)})\n"
    )
    assert explore(f"{mine(text, 'json.py')}::room", "--json").exit_code == 0
    assert hasattr(json, "dumps") and sys.modules["json"] is json
