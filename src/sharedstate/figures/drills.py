"""The clock and the points of an interview drill."""

from __future__ import annotations

from matplotlib.patches import Rectangle

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure
from sharedstate.wording import count

LEFT, WIDE = 1.6, 8.0


def drill_clock(
    name: str, seconds: float, minutes: int, hints: int = 0, earned: int | None = None, points: int = 10
) -> CourseFigure:
    """Draw the time that is used of the limit, and a square for each point: to be won, spent on a hint, earned, missed.

    earned: the rubric's points, None before they are known; the price of the hints (a point each) is drawn beside them.
    """
    over = seconds > 60 * minutes
    figure = style.new(_message(name, seconds, minutes, hints, earned), height=2.3)
    ax = style.canvas(figure, 10, 4)
    share = min(1.0, seconds / (60 * minutes))
    ax.text(LEFT - 0.2, 1.0, "time", ha="right", va="center", fontsize=style.LABEL)
    ax.add_patch(Rectangle((LEFT, 0.6), WIDE, 0.8, fc="white", ec=palette.INK, lw=1.2))
    color, hatch = (palette.FAINT, style.STALE_HATCH) if over else (palette.OWNERS[2], "")
    ax.add_patch(Rectangle((LEFT, 0.6), WIDE * share, 0.8, fc=color, ec=palette.INK, lw=1.2, hatch=hatch))
    for at, word, side in ((LEFT, "0:00", "left"), (LEFT + WIDE, f"{minutes}:00", "right")):
        ax.text(at, 1.75, word, ha=side, va="center", fontsize=style.SMALL)
    ax.text(LEFT - 0.2, 3.0, "points", ha="right", va="center", fontsize=style.LABEL)
    for place in range(points):
        fill, mark, dots = _square(place, points, hints, earned)
        x = LEFT + place * WIDE / points
        ax.add_patch(Rectangle((x + 0.05, 2.6), WIDE / points - 0.1, 0.8, fc=fill, ec=palette.INK, lw=1, hatch=dots))
        ax.text(x + WIDE / points / 2, 3.0, mark, ha="center", va="center", fontsize=style.LABEL,
                bbox={"fc": "white", "ec": "none", "pad": 1.2} if mark == "hint" else None)
    return figure


def _square(place: int, points: int, hints: int, earned: int | None) -> tuple[str, str, str]:
    """Return the colour, the word and the hatching of one point; hints are paid from the right."""
    if place >= points - hints:
        return palette.LOST, "hint", style.LOST_HATCH
    if earned is None:
        return "white", "", ""
    return (palette.OWNERS[0], palette.RIGHT, "") if place < max(0, earned - hints) else (palette.ALLOWED, "–", "")


def _message(name: str, seconds: float, minutes: int, hints: int, earned: int | None) -> str:
    used = f"{int(seconds) // 60}:{int(seconds) % 60:02} of {minutes}:00 used"
    if earned is not None:
        late = ", over time" if seconds > 60 * minutes else ""
        return f"{name} is done: {max(0, earned - hints)} points in {int(seconds) // 60}:{int(seconds) % 60:02}{late}"
    return f"{name}: {used}, {count(hints, 'point')} spent on hints" if hints else f"{name}: {used}, no hint so far"
