"""Two tiers: the default one, and --exhaustive for large counts (see README)."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --exhaustive, which also runs the tests marked so."""
    parser.addoption("--exhaustive", action="store_true", help="also run the tests with large counts")


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
