"""Who can influence whom: one matrix for threads, tensors and caches, and the oracle of serial orders.

`threads` and `serialisable` need the standard library only, `tensors` loads torch when it is called.
"""

from __future__ import annotations

from sharedstate.influence.matrix import Influence, Witness
from sharedstate.influence.serialisable import Serialisable, serialisable
from sharedstate.influence.tensors import tensors
from sharedstate.influence.threads import room, threads

__all__ = ["Influence", "Serialisable", "Witness", "room", "serialisable", "tensors", "threads"]
