"""Rooms where several visitors meet one program, the grain of its state, and a server to attack. Plain Python."""

from __future__ import annotations

from sharedstate.isolation.grains import grains, serve_sessions
from sharedstate.isolation.loopback import QuietPage, attack
from sharedstate.isolation.rooms import cancelled, crowd, logins, pooled, prove, queued, tasks, transfers, visit

__all__ = [
    "QuietPage",
    "attack",
    "cancelled",
    "crowd",
    "grains",
    "logins",
    "pooled",
    "prove",
    "queued",
    "serve_sessions",
    "tasks",
    "transfers",
    "visit",
]
