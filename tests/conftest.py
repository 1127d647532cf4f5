"""Two tiers: the default one, and --exhaustive for large counts (see README); no unexplained skips."""

from __future__ import annotations

import re

import pytest

# What a skip may be for: hardware, another operating system, another Python. Everything else is a hole.
EXPLAINED = re.compile(r"\bneeds (a GPU|CUDA|Linux|macOS|Windows|POSIX|Python \d|a free-threaded Python)")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --exhaustive and --no-unexplained-skips."""
    parser.addoption("--exhaustive", action="store_true", help="also run the tests with large counts")
    parser.addoption(
        "--no-unexplained-skips",
        action="store_true",
        help="fail when a test is skipped for anything but a GPU, another system or another Python",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Watch the skips when asked to."""
    if config.getoption("--no-unexplained-skips"):
        config.pluginmanager.register(SkipWatch(), "skip-watch")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the exhaustive tests out (deselected, not skipped) unless they were asked for."""
    if config.getoption("--exhaustive"):
        return
    left_out = [item for item in items if item.get_closest_marker("exhaustive")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture
def exhaustive(request: pytest.FixtureRequest) -> bool:
    """True when --exhaustive was given: tests may then use larger counts."""
    return bool(request.config.getoption("--exhaustive"))


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
