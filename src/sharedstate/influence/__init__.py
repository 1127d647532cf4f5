"""Who can influence whom: one matrix for threads, tensors and caches; serial orders; a second call after a first.

`threads` and `serialisable` need the standard library only, `tensors` loads torch when it is called.
"""

from __future__ import annotations

from sharedstate.influence.matrix import Influence, Witness
from sharedstate.influence.second import SecondCall, second_call
from sharedstate.influence.serialisable import Serialisable, serialisable
from sharedstate.influence.tensors import tensors
from sharedstate.influence.threads import room, threads

__all__ = [
    "Influence", "SecondCall", "Serialisable", "Witness", "room", "second_call", "serialisable", "tensors", "threads",
]  # fmt: skip
