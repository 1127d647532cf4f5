"""The course's colours, one meaning each (Okabe and Ito, safe for colour-blind readers). Never colour alone."""

from __future__ import annotations

from types import MappingProxyType

ISOLATED, ALLOWED, LEAK, LOST = "#0072B2", "#BBBBBB", "#D55E00", "#E69F00"
OWNERS = ("#009E73", "#CC79A7", "#56B4E9", "#F0E442")  # threads or requests, in this order
INK, FAINT = "#222222", "#777777"
# The cells of an influence matrix: what is isolated stays white, so that a leak is what the eye meets.
CELLS = MappingProxyType({
    "allowed": "#DDDDDD", "isolated": "#FFFFFF", "leak": LEAK, "lost": LOST, "unknown": "#FFFFFF",
})
GRID = "#C4C4C4"  # the line between two cells
WRONG, RIGHT = "✗", "✓"  # the one mark for a wrong outcome, and for a right one, in figures and lists
# Sixteen owners at once: each is lighter than the one before, so they differ without any sense of colour.
RING = (
    "#440154", "#481A6C", "#472F7D", "#414487", "#39568C", "#31688E", "#2A788E", "#23888E",
    "#1F988B", "#22A884", "#35B779", "#54C568", "#7AD151", "#A5DB36", "#D2E21B", "#FDE725",
)


def owner(index: int) -> str:
    """Return the colour of the owner with this number; after the fourth they begin again."""
    return OWNERS[index % len(OWNERS)]
