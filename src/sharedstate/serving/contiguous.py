"""The foil: a slot of full length for each request, one after the other, and no table to ask.

The fastest way to read a cache is a slice. Its price: every request reserves the longest answer that it could ever
give, and nothing can be shared.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from sharedstate.serving.store import Group, PagedStore, Span


class ContiguousStore(PagedStore):
    """A PagedStore with blocks so large that a request has one: its slot. Needs prefix=False."""

    def grouped(self, spans: Sequence[Span]) -> list[list[Span]]:
        """Put all spans of one count together, in the order of their slots."""
        counts = sorted({span.new for span in spans})
        by_slot = sorted(spans, key=lambda span: span.live.table.blocks[0] if span.live.table else 0)
        return [[span for span in by_slot if span.new == count] for count in counts]

    def group(self, spans: list[Span]) -> Group:
        """Return the slots, and how far the longest one is read."""
        rows = torch.tensor([span.live.row for span in spans], device=self.tables.device)
        slots = self.tables[rows, :1]  # [b, 1]
        return Group(spans, slots, slots[:, 0], max(span.start + span.new for span in spans))

    def fetch(self, layer: int, group: Group) -> tuple[Tensor, Tensor]:
        """Return the keys and values of a group, [b, Hkv, K, D] each: a slice where the slots lie side by side."""
        if self.tags is not None:
            self._check(layer, group)
        first, count = int(group.blocks[0, 0]), len(group.spans)
        if int(group.blocks[-1, 0]) - first == count - 1:
            k, v = self.data[layer, :, first : first + count, :, : group.width]
        else:
            k, v = self.data[layer, :, group.index, :, : group.width]
        return k, v
