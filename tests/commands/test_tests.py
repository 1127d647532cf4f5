"""`run.py test`: two parts, one sum, the right exit code; and one run of pytest where that is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sharedstate.commands import tests

PYTHON = Path("python")


class Calls:
    """Stands for pytest: one answer a call, (exit code, outcomes)."""

    def __init__(self, *answers: tuple[int, dict[str, int]]) -> None:
        self.answers, self.seen = list(answers), []

    def __call__(self, command: list[str]) -> int:
        self.seen.append(command)
        code, counts = self.answers.pop(0)
        if "--tally" in command:
            Path(command[command.index("--tally") + 1]).write_text(json.dumps(counts))
        return code


def test_what_may_run_side_by_side_comes_first_then_what_must_be_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).resolve().parents[2])
    calls = Calls((0, {"passed": 5000, "skipped": 1}), (0, {"passed": 12}))
    assert tests.run(PYTHON, ["-k", "x"], calls) == 0
    first, second = calls.seen
    assert first[first.index("-n") + 1] == "2" and first[first.index("--part") + 1] == "together"
    assert "-n" not in second and "tests/browser" in second and second[second.index("--part") + 1] == "alone"
    assert all(command[:3] == ["python", "-m", "pytest"] and command[-2:] == ["-k", "x"] for command in calls.seen)
    assert all("--durations=10" in command for command in calls.seen)
    assert " 5012 passed, 1 skipped in 0:00 " in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(
    ("codes", "code"),
    [((0, 0), 0), ((1, 0), 1), ((0, 1), 1), ((5, 0), 0), ((0, 5), 0), ((5, 5), 5), ((5, 1), 1), ((1, 3), 1)],
)
def test_the_exit_code_is_that_of_both(codes: tuple[int, int], code: int) -> None:
    assert tests.run(PYTHON, [], Calls(*((one, {}) for one in codes))) == code


@pytest.mark.parametrize(("answer", "words"), [(1, ["-x"]), (1, ["--maxfail=3"]), (2, []), (3, []), (4, ["--bad"])])
def test_after_an_end_before_time_the_second_part_is_left_out(answer: int, words: list[str]) -> None:
    calls = Calls((answer, {"failed": 1}))
    assert tests.run(PYTHON, words, calls) == answer and len(calls.seen) == 1


@pytest.mark.parametrize("words", [["--collect-only"], ["-n", "0"], ["--help"], ["--pdb", "-k", "x"]])
def test_a_call_for_one_run_of_pytest_gets_it_as_it_is(words: list[str]) -> None:
    calls = Calls((0, {}))
    assert tests.run(PYTHON, words, calls) == 0
    assert calls.seen == [["python", "-m", "pytest", *words]]


def test_where_places_are_named_only_they_are_collected() -> None:
    calls = Calls((0, {}), (0, {}))
    tests.run(PYTHON, [f"{__file__}::test_x"], calls)
    assert not any("tests/browser" in command for command in calls.seen)


def test_a_part_that_broke_off_without_a_tally_counts_by_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    def killed(command: list[str]) -> int:
        return 137

    call: Callable[[list[str]], int] = killed
    assert tests.run(PYTHON, [], call) == 137
    assert "no tests ran" in capsys.readouterr().out
