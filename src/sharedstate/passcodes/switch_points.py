"""Where may the running Python hand over to another thread? See `sharedstate.switch_points`."""

from __future__ import annotations

from sharedstate.switch_points import (
    SwitchPoint,
    can_switch_between,
    free_threaded_build,
    gil_enabled,
    kind_of,
    switch_points,
)

__all__ = [
    "SwitchPoint",
    "can_switch_between",
    "free_threaded_build",
    "gil_enabled",
    "kind_of",
    "switch_points",
]
