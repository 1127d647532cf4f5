"""docs/explorer.md: its files are written, its commands run, its outputs compared with what is printed."""

from __future__ import annotations

import doctest
import importlib.util
import json
import re
import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from sharedstate.cli import cli
from sharedstate.interleave import Scenario
from sharedstate.interleave.result import Result

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "explorer.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`([\w.]+)`:\n\n```python\n(.*?)^```", PAGE, re.M | re.S))
CONSOLE = re.findall(r"^```console\n(.*?)^```", PAGE, re.M | re.S)
COMMANDS = [
    (command, shown.rstrip("\n"))
    for block in CONSOLE
    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n?)*)", block, re.M)
]
EXPECTED = {"Error": 2, "proved:": 0, "bounded:": 0, "1 passed": 0}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the page's files."""
    made = tmp_path_factory.mktemp("page")
    for name, text in FILES.items():
        (made / name).write_text(text, encoding="utf-8")
    return made


def as_here(command: str) -> list[str]:
    """Return a command of the page for this interpreter."""
    words = shlex.split(command)
    if words[:2] == ["python", "run.py"]:
        return [sys.executable, "-m", "sharedstate", *words[2:]]
    assert words[0] == "python", command
    return [sys.executable, *words[1:], "-p", "no:cacheprovider"]


def fits(shown: str, printed: str) -> bool:
    """Say whether an output is the one shown; "…" stands for anything."""
    pattern = ".*".join(re.escape(part) for part in shown.split("…"))
    return re.fullmatch(pattern, printed.strip("\n"), re.S) is not None


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_a_command_prints_what_the_page_shows(folder: Path, command: str, shown: str) -> None:
    done = subprocess.run(as_here(command), cwd=folder, capture_output=True, text=True, encoding="utf-8")
    printed = done.stdout + done.stderr
    assert fits(shown, printed), printed
    verdict = next((code for word, code in EXPECTED.items() if re.search(rf"^{word}", printed, re.M)), 1)
    assert done.returncode == verdict, printed


def test_every_command_has_an_output_and_every_file_is_used() -> None:
    assert len(COMMANDS) >= 10 and all(shown for _, shown in COMMANDS)
    assert len(FILES) == PAGE.count("```python") and all(PAGE.count(Path(name).stem) > 1 for name in FILES)


def test_outputs_are_really_compared() -> None:
    assert fits("a …\nb", "a 1\nx\nb\n") and not fits("a …\nb", "a 1\nc") and not fits("a.", "ab")


def test_the_python_session(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(folder))
    text = "\n".join(re.findall(r"^```pycon\n(.*?)^```", PAGE, re.M | re.S))
    test = doctest.DocTestParser().get_doctest(text, {}, "explorer.md", "explorer.md", 0)
    assert len(test.examples) > 5
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert result.failed == 0
    for name in FILES:
        sys.modules.pop(Path(name).stem, None)


def test_a_proof_needs_nothing_but_src_and_the_standard_library(folder: Path) -> None:
    source = str(Path(__file__).resolve().parents[1] / "src")
    code = (
        f"import sys; sys.path[:0] = [{source!r}, {str(folder)!r}]\n"
        "import test_my_counter; test_my_counter.test_no_update_is_lost()\n"
        "print(any('site-packages' in path for path in sys.path))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


class Slow:
    """Waits an hour, or for a lock that may be refused."""

    def __init__(self) -> None:
        self.lock, self.n = threading.Lock(), 0

    def sleep(self) -> None:
        """Read, sleep, write."""
        before = self.n
        time.sleep(3600)
        self.n = before + 1

    def try_it(self) -> bool:
        """Take the lock within a second, or give up."""
        if self.lock.acquire(timeout=1):
            self.lock.release()
            return True
        return False


def test_time_is_not_seen_as_the_page_says() -> None:
    asleep = Scenario(Slow, dict.fromkeys("ab", lambda s: s.sleep()), lambda s, _: s.n != 2).explore()
    assert asleep.verdict == "broken"
    refused = Scenario(Slow, dict.fromkeys("ab", lambda s: s.try_it())).explore()
    assert {answers for answers, _ in refused.outcomes} == {(True, True), (True, False), (False, True)}


def test_the_table_of_verdicts_is_complete() -> None:
    table = PAGE.partition("| verdict |")[2].partition("\n\n")[0]
    told = re.findall(r"^\| `([a-z ]+)` \|", table, re.M)
    known = re.search(r"first that applies of (.*?)\.", " ".join(Result.__doc__.split())).group(1)
    assert sorted(told) == sorted(known.split(", "))


def test_every_option_named_is_one_of_the_command() -> None:
    known = {option for parameter in cli.get_command(None, "explore").params for option in parameter.opts}
    named = set(re.findall(r"--[a-z]+", PAGE))
    assert named and named <= known
    assert {
        "--strategy",
        "--preemptions",
        "--executions",
        "--seconds",
        "--whole",
        "--replay",
        "--json",
        "--svg",
    } <= named


def test_json_and_svg_as_the_page_says(folder: Path) -> None:
    command = as_here("python run.py explore my_counter.py::racy --json --svg drawn.svg")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    data = json.loads(done.stdout)
    assert data["verdict"] == "broken" and len(data["schedule"]["steps"]) == 4
    assert (folder / "drawn.svg").read_text(encoding="utf-8").startswith("<svg")


def test_the_table_of_growth_says_what_the_benchmark_finds() -> None:
    """Its small rows are worked out again; the large ones belong to the benchmark."""
    spec = importlib.util.spec_from_file_location("growth", ROOT / "benchmarks" / "explorer.py")
    assert spec is not None and spec.loader is not None
    benchmark = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(benchmark)
    table = dict(re.findall(r"^\| ([^|]+) \| ([\d,]+) \| [\d.]+ \|$", PAGE, re.M))
    assert list(table) == [name for name, _, _ in benchmark.GROWTH]
    for name, setup, bodies in benchmark.GROWTH:
        many = int(table[name].replace(",", ""))
        if many < 100:
            threads = {f"t{i}": body for i, body in enumerate(bodies)}
            result = Scenario(setup, threads).explore(witness=False)
            assert (result.verdict, result.executions) == ("proved", many), name
