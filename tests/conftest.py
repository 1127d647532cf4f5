"""The tiers of the tests (--quick, the default, --exhaustive), their two parts, progress, and no unexplained skips."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from sharedstate.commands.tests import ALONE, BROWSER
from sharedstate.interleave import explore

HOME = Path(__file__).resolve().parents[1]
TIMES = HOME / ".run" / "test-times.json"  # seconds of each test file, as the last run measured them

# What a skip may be for: hardware, another operating system, another Python. Everything else is a hole.
EXPLAINED = re.compile(r"\bneeds (a GPU|CUDA|Linux|macOS|Windows|POSIX|Python \d|a free-threaded Python)")

# --quick takes these as a whole, the first test of every other file, and one test in the browser.
QUICK = (
    "tests/commands/test_cli.py", "tests/test_house.py", "tests/test_progress.py", "tests/test_run.py",
    "tests/interleave/test_scenario.py", "tests/checks/test_unit01.py",
    "tests/kvcache/test_slots.py", "tests/passcodes/test_checkers.py",
)  # fmt: skip
# These take long (seconds, about): they start first, so that both workers end together.
LONGEST = MappingProxyType(
    {
        "tests/notebooks/test_notebooks.py": 380, "tests/test_bank.py": 300, "tests/faults/test_faults.py": 90,
        "tests/checks/test_labs.py": 70, "tests/figures/test_figures.py": 50, "tests/test_types.py": 40,
        "tests/kvcache/test_gallery.py": 35, "tests/interleave/test_deadlock.py": 20,
        "tests/interleave/test_parallel.py": 20,
    }
)  # fmt: skip
# Of these each unit's or exercise's tests stand for themselves: a worker takes those, and not the whole file.
BY_UNIT = ("tests/notebooks/test_notebooks.py", "tests/test_bank.py", "tests/checks/test_labs.py")
UNIT = re.compile(r"\[.*?(\d\d)[._]")
CHOSEN_QUICKLY = pytest.StashKey[frozenset[str]]()  # the files that --quick would take, of those that were collected
MOMENT = 0.2  # seconds of the second witness in the default tier
USUAL = 0.07  # seconds of a test of any other file, until a run has measured it
EVERY = 15.0  # seconds between two lines of progress


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options; `python run.py test` gives --part and --tally itself."""
    parser.addoption("--exhaustive", action="store_true", help="also run the tests with large counts")
    parser.addoption("--quick", action="store_true", help="a selection over all kinds of tests, about three minutes")
    parser.addoption("--part", choices=("together", "browser", "alone"), help="only the tests of one run")
    parser.addoption("--tally", type=Path, help="write the number of outcomes to this file, and show the progress")
    parser.addoption(
        "--no-unexplained-skips",
        action="store_true",
        help="fail when a test is skipped for anything but a GPU, another system or another Python",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Watch skips and progress when asked to; of several processes only the one that reports does."""
    if hasattr(config, "workerinput"):
        return
    if config.getoption("--no-unexplained-skips"):
        config.pluginmanager.register(SkipWatch(), "skip-watch")
    if config.getoption("--tally"):
        config.pluginmanager.register(Progress(config), "progress-line")


# --- which tests


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose the tier and the part (the others are deselected, not skipped), and begin with the longest files."""
    large = config.getoption("--exhaustive")
    config.stash[CHOSEN_QUICKLY] = frozenset(map(file_of, quick([item for item in items if not is_large(item)])))
    for item in items:
        if large and "exhaustive" in getattr(item, "fixturenames", ()):
            item.add_marker("exhaustive")  # it has larger counts now
        if file_of(item).startswith(ALONE):
            item.add_marker("timing")
    chosen = [item for item in items if large or not is_large(item)]
    if config.getoption("--quick"):
        chosen = quick(chosen)
    if part := config.getoption("--part"):
        chosen = [item for item in chosen if part_of(item) == part]
    kept = set(chosen)
    left_out = [item for item in items if item not in kept]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
    items[:] = sorted(chosen, key=lambda item: rank(file_of(item)))  # a stable sort: files stay whole


def file_of(item: pytest.Item) -> str:
    """Return the file of a test, seen from the checkout."""
    return item.nodeid.split("::")[0]


def rank(file: str) -> int:
    """Return the place of a file in the order of the run."""
    if file.startswith("tests/browser/"):
        return len(LONGEST) + 1  # last: it leaves an event loop running, and threads
    return list(LONGEST).index(file) if file in LONGEST else len(LONGEST)


def is_large(item: pytest.Item) -> bool:
    """Say whether a test belongs to the exhaustive tier alone."""
    return item.get_closest_marker("exhaustive") is not None


def part_of(item: pytest.Item) -> str:
    """Say in which run a test belongs: "browser", "alone" for one that measures time, or "together" with the others."""
    if file_of(item).startswith(BROWSER):
        return "browser"
    return "alone" if item.get_closest_marker("timing") is not None else "together"


def quick(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the files of QUICK, the first test of every other file, and of the browser's folder one."""
    seen: set[str] = set()
    chosen = []
    for item in items:
        file = file_of(item)
        group = "tests/browser" if file.startswith("tests/browser/") else file
        if file in QUICK or group not in seen:
            chosen.append(item)
        seen.add(group)
    return chosen


class Groups(LoadScopeScheduling):
    """Hands the tests of a file to one worker, and of the longest files those of a unit."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


def group_of(nodeid: str) -> str:
    """Return what a worker takes as a whole: the test's file, or its unit in the file."""
    file, unit = nodeid.split("::")[0], UNIT.search(nodeid)
    return f"{file} {unit[1]}" if file in BY_UNIT and unit else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """Share out the tests by Groups, where they are to be shared out by files."""
    return Groups(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.fixture(scope="session", autouse=True)
def short_witness(request: pytest.FixtureRequest) -> Iterator[None]:
    """After each proof the second witness looks for a moment; for its full second in the exhaustive tier."""
    with pytest.MonkeyPatch.context() as patch:
        if not request.config.getoption("--exhaustive"):
            patch.setattr(explore, "WITNESS_SECONDS", MOMENT)
        yield


@pytest.fixture
def chosen_quickly(request: pytest.FixtureRequest) -> frozenset[str]:
    """The files of which --quick would take something, of those that this run has collected."""
    return request.config.stash[CHOSEN_QUICKLY]


@pytest.fixture
def exhaustive(request: pytest.FixtureRequest) -> bool:
    """True when --exhaustive was given: tests may then use larger counts."""
    return bool(request.config.getoption("--exhaustive"))


# --- what is said on the way, and at the end


class Progress:
    """Says from time to time how far the run is and how long it will take; keeps the outcomes for the sum."""

    def __init__(self, config: pytest.Config) -> None:
        self.config, self.began = config, time.monotonic()
        self.said = self.began
        self.outcomes: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        self.left: Counter[str] = Counter()  # tests to come, by file
        self.total = 0
        self.known: dict[str, float] = read_times()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Know what is to come, where this process has collected it itself."""
        self.expect([item.nodeid for item in session.items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: object, ids: list[str]) -> None:
        """Know what is to come, as a worker tells it (each tells the same)."""
        self.expect(ids)

    def expect(self, ids: list[str]) -> None:
        """Take in the tests of the run."""
        if ids and not self.total:
            self.total = len(ids)
            self.left.update(name.split("::")[0] for name in ids)
            self.counts = dict(self.left)
            whole = {**{file: USUAL * number for file, number in self.counts.items()}, **LONGEST, **self.known}
            self.each = {file: whole[file] / number for file, number in self.counts.items()}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a test that has ended, and speak when it is time."""
        file = report.nodeid.split("::")[0]
        self.seconds[file] += report.duration
        category = self.config.hook.pytest_report_teststatus(report=report, config=self.config)[0]
        if category:
            self.outcomes["errors" if category == "error" else category] += 1
        if report.when == "teardown":
            self.left[file] -= 1
            if time.monotonic() - self.said >= EVERY:
                self.said = time.monotonic()
                self.say(self.said - self.began)

    def say(self, taken: float) -> None:
        """Write a line of progress."""
        done = self.total - sum(self.left.values())
        share = 1 - self.weight(self.left) / (self.weight(self.counts) or 1)
        rest = f", about {clock(taken / share - taken)} to go" if share > 0.02 else ""
        line = f"\n{100 * share:3.0f} % · {done:,} of {self.total:,} tests · {clock(taken)} so far{rest}\n"
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.write(line)

    def weight(self, tests: dict[str, int]) -> float:
        """Return how long so many tests of these files take: as measured before, else as is usual."""
        return sum(number * self.each[file] for file, number in tests.items())

    def pytest_sessionfinish(self) -> None:
        """Leave the sum for run.py, and what each file took for the next estimate."""
        self.config.getoption("--tally").write_text(json.dumps(self.outcomes), encoding="utf-8")
        TIMES.parent.mkdir(exist_ok=True)
        whole = {file: round(spent, 2) for file, spent in self.seconds.items() if self.left[file] <= 0}
        TIMES.write_text(json.dumps({**self.known, **whole}, indent=1, sort_keys=True), encoding="utf-8")


def read_times() -> dict[str, float]:
    """Return the seconds of each test file in earlier runs; {} where there was none."""
    try:
        found = json.loads(TIMES.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def clock(seconds: float) -> str:
    """Return minutes and seconds, as in 3:07."""
    return f"{int(seconds // 60)}:{int(seconds % 60):02d}"


class SkipWatch:
    """Fails the run when a test or a whole module was skipped for a reason that is not EXPLAINED."""

    def __init__(self) -> None:
        self.unexplained: list[str] = []

    def note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        """Keep a skip's place and reason unless the reason is one of the three."""
        if not report.skipped or hasattr(report, "wasxfail"):
            return
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not EXPLAINED.search(reason):
            self.unexplained.append(f"{report.nodeid}: {reason}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """See each test's report."""
        self.note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """See each module's report."""
        self.note(report)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Turn a green run with holes red."""
        if self.unexplained and session.exitstatus in (
            pytest.ExitCode.OK,
            pytest.ExitCode.NO_TESTS_COLLECTED,
        ):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the holes."""
        for line in self.unexplained:
            terminalreporter.write_line(f"UNEXPLAINED SKIP {line}", red=True)
