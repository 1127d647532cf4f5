"""The course's colours, one meaning each (Okabe and Ito, safe for colour-blind readers). Never colour alone."""

from __future__ import annotations

ISOLATED, ALLOWED, LEAK, LOST = "#0072B2", "#BBBBBB", "#D55E00", "#E69F00"
OWNERS = ("#009E73", "#CC79A7", "#56B4E9", "#F0E442")  # threads or requests, in this order
INK, FAINT = "#222222", "#777777"
RING = (ISOLATED, LOST, *OWNERS, LEAK, ALLOWED)  # eight owners at once, where nothing else is coloured


def owner(index: int) -> str:
    """Return the colour of the owner with this number; after the fourth they begin again."""
    return OWNERS[index % len(OWNERS)]
