"""Exercise 01.5: predict what the sliders do, before touching them."""

from __future__ import annotations

from types import MappingProxyType

from sharedstate.checks.types import Case, Verdict
from sharedstate.checks.values import PlainFunction, Slips, SlipTable

BEYOND = 10**300
EDGE = 1e-9  # what is rounded away at the ends of the range
LOW, HIGH = 0.15, 0.30  # a quarter by reasoning, about 0.2 when measured

SLIPS: Slips = MappingProxyType({
    "the panel's start": ("off-by-scale", "A share of 0.25 * gap / interval; both are in seconds."),
    "four times the threads": ("threads-are-not-the-knob", "Switches per second did not change."),
    "two threads": ("threads-are-not-the-knob", "Two are enough: one is interrupted, one writes."),
    "a longer gap": ("gap-not-proportional", "The window is open for that much more of the time."),
    "a longer interval": ("interval-upside-down", "A longer interval means fewer switches per second."),
    "more requests": ("requests-not-proportional", "Same rate, more requests, more entries."),
    "alone": ("alone-cannot-race", "With one thread nobody else can write on the board."),
    "no gap": ("no-gap-no-race", "With no gap there is no window."),
    "a gap as long as the interval": ("more-than-possible", "Every switch hits the window: a quarter of all."),
    "a gap longer than the interval": ("more-than-possible", "The rate stops at a quarter of all requests."),
})


class PredictTheSlider(PlainFunction, SlipTable):
    """The answer is false_accepts(requests, threads, gap, interval) -> the expected count."""

    id = "01.5"
    title = "What does the slider do?"
    answer = "false_accepts"
    minutes = 8
    difficulty = 2
    points = 2.0
    given = ("requests", "threads", "gap", "interval")
    none_is_untouched = False
    slips = SLIPS

    def cases(self, seed: int) -> list[Case]:
        """Start where the panel starts; then move one slider at a time, by a factor drawn from the seed."""
        draw = self.draw(seed)
        factor = draw.randrange(3, 9)
        return [
            _case("the panel's start", visible=True),
            _case("four times the threads", threads=32),
            _case("two threads", threads=2),
            _case("a longer gap", gap=20e-6 * factor),
            _case("a longer interval", interval=0.005 * factor),
            _case("more requests", requests=100_000 * factor),
            _case("alone", threads=1),
            _case("no gap", gap=0.0),
            _case("a gap as long as the interval", gap=0.002 * factor, interval=0.002 * factor),
            _case("a gap longer than the interval", gap=0.004 * factor, interval=0.001),
        ]

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare with the range that reasoning and measurement leave."""
        if not isinstance(value, (int, float)) or type(value) is bool:
            return self.wrong("not-a-number", f"false_accepts returned {value!r}; a number is expected.")
        share = 0.0 if case["threads"] < 2 else min(1.0, case["gap"] / case["interval"])
        low, high = LOW * share * case["requests"], HIGH * share * case["requests"]
        if low * (1 - EDGE) <= value <= high * (1 + EDGE):
            return self.right("You know what each slider does before you touch it.")
        asked = ", ".join(f"{name}={case[name]:g}" for name in self.given)
        said = f"{value:g}" if abs(value) < BEYOND else "a number beyond all bounds"
        return self.slip(case, before=f"For {asked} your function says {said}. ")


def _case(label: str, requests: int = 100_000, threads: int = 8, gap: float = 20e-6, interval: float = 0.005,
          visible: bool = False) -> Case:
    return Case(label, {"requests": requests, "threads": threads, "gap": gap, "interval": interval}, visible)


EXERCISE = PredictTheSlider()
