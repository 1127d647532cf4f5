"""Pure functions: data in, a matplotlib Figure out, and no pyplot. The title of each figure is its message.

matplotlib is loaded when the first figure is asked for.
"""

from __future__ import annotations

import importlib
from types import MappingProxyType
from typing import Any

_HOMES = MappingProxyType(
    {
        "CourseFigure": "style",
        "caption": "style",
        "interleaving": "traces",
        "influence": "matrices",
        "funnel": "search",
        "outcomes": "search",
        "race_sweep": "races",
        "flaky_runs": "races",
        "accepts_and_rejects": "races",
        "free_threaded": "recorded",
        "whiteboard": "pictures",
        "course_map": "pictures",
        "switch_points": "listings",
        "peers": "recorded",
        "deadlock": "verdicts",
        "compare": "verdicts",
        "sight": "windows",
        "regions": "windows",
        "attention_price": "windows",
        "attention_tables": "attention",
        "mask_grid": "masks",
        "loss_curves": "masks",
        "loss_bars": "masks",
        "prices": "costs",
        "grain": "costs",
        "cache_step": "cache",
        "step_costs": "cache",
        "context_costs": "cache",
        "memory_bars": "cache",
        "which_test": "cache",
        "assignment": "streams",
        "collisions": "streams",
        "symbol_counts": "streams",
        "generator_runs": "streams",
        "memory_map": "slots",
        "life_cycle": "slots",
        "request_errors": "slots",
        "oracle_matrix": "oracles",
        "error_over_steps": "oracles",
        "block_map": "blocks",
        "capacity_bars": "blocks",
        "size_sweep": "blocks",
        "saving": "blocks",
        "logit_errors": "oracles",
        "schedules": "copies",
        "lanes": "serving",
        "growth": "serving",
        "token_rows": "serving",
        "differences": "serving",
        "who_wrote": "diagnosis",
        "shrunk": "diagnosis",
        "seconds_to_find": "diagnosis",
        "answers": "diagnosis",
        "incident_map": "incidents",
        "replies": "incidents",
        "second_calls": "incidents",
        "drill_clock": "drills",
    }
)
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Load the module that draws `name`."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """List the figures."""
    return list(__all__)
