"""Panels: thin ipywidgets views over pure code. ipywidgets is loaded when a panel is asked for."""

from __future__ import annotations

import importlib
from types import MappingProxyType
from typing import Any

# At once, not on demand: the function must win over the module of the same name, whoever loads that first.
from sharedstate.panels.predict import predict, reveal

_HOMES = MappingProxyType(
    {
        "start_page": "start",
        "race_panel": "threads",
        "mask_panel": "masks",
        "price_panel": "prices",
        "scheduler_panel": "scheduler",
        "generator_panel": "generators",
        "game_panel": "game",
        "window_panel": "windows",
        "slot_panel": "slots",
        "context_panel": "context",
        "memory_panel": "memory",
        "block_panel": "blocks",
        "sharing_panel": "blocks",
        "knee_panel": "serving",
        "seed_panel": "serving",
        "bits_panel": "serving",
        "triage_panel": "triage",
        "class_panel": "classroom",
        "drill_panel": "drills",
    }
)
__all__ = [
    "bits_panel",
    "block_panel",
    "class_panel",
    "context_panel",
    "drill_panel",
    "game_panel",
    "generator_panel",
    "knee_panel",
    "mask_panel",
    "memory_panel",
    "predict",
    "price_panel",
    "race_panel",
    "reveal",
    "scheduler_panel",
    "seed_panel",
    "sharing_panel",
    "slot_panel",
    "start_page",
    "triage_panel",
    "window_panel",
]


def __getattr__(name: str) -> Any:
    """Load the panel `name`."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """List the panels."""
    return list(__all__)
