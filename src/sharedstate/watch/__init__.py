"""Who wrote what I read? Writer tags for objects, lists, dictionaries, arrays, tensors, locks and caches.

`Watch` is the log; what it wraps tells it of every read and write, with the place in the source. Engines of
`sharedstate.kvcache` are watched by `sharedstate.watch.caches`.
"""

from __future__ import annotations

from sharedstate.watch.findings import Access, Finding
from sharedstate.watch.log import Cell, Watch

__all__ = ["Access", "Cell", "Finding", "Watch"]
