"""What a thread is about to do, in a word and a name."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from sharedstate.interleave.access.values import short
from sharedstate.interleave.sim_thread import SimThread

KINDS = types.MappingProxyType({
    "read": "read", "write": "write", "delete": "delete", "get_item": "read", "set_item": "write",
    "del_item": "delete", "global_read": "read", "global_write": "write", "global_delete": "delete",
    "cell_read": "read", "cell_write": "write",
})  # fmt: skip


def read_then_call(partner: int, thing: Any, arguments: tuple, keywords: dict) -> Iterator[Any]:
    """Two requests in a row: the read of a field and the call of its value."""
    function = yield (partner, thing)
    result = yield (partner + 1, function, arguments, keywords)
    return result


def describe(names: dict[int, str], thread: SimThread) -> tuple[str, str]:
    """The kind and the target of a thread's next step."""
    site, request = thread.site, thread.request
    if not request or site is None:
        return thread.kind, thread.target
    kind = KINDS[site.op]
    if site.op in ("get_item", "set_item", "del_item"):
        *_, thing, key = request
        return kind, f"{_path(names, thing)}[{short(key)}]"
    return kind, f"{_path(names, request[-1])}.{site.name}" if site.op in ("read", "write", "delete") else site.name


def _path(names: dict[int, str], thing: Any) -> str:
    """The name of a shared object."""
    return names.get(id(thing)) or type(thing).__name__

