"""The faults of unit 01: two boards without a door, half a fix, and three ways in for a switch.

Every bug is forced: by a schedule in the explorer, on real threads by parking one of them, mostly both ways.
Nothing here waits for luck.
"""

from __future__ import annotations

from threading import Thread
from typing import Any

from sharedstate.faults.table import Fault, Names, Probe
from sharedstate.passcodes import force_by_trace

UNIT = "01_passcode_race"
RIGHT, WRONG = "s3cret", "guess"
ENTRY = ("mallory", "alice*", "mallory*")
REFUSAL = ("alice", "mallory*", "alice*")
SERIAL = (("alice*", "mallory*"), ("mallory*", "alice*"))
FIX = "a local variable for each visit (OwnBoard), or one lock from the write to the last read (OneDoor)"
CONTROL = "the same checker, one visitor after the other"


def last_line(checker: Any) -> int:
    """Return the number of the last line of the class's `check`."""
    return max(line for _, _, line in checker.check.__code__.co_lines() if line)


def enters(names: Names) -> bool:
    """Mallory's wrong passcode passes: by schedule, and on two real threads of the class as it stands."""
    checker = names["PasscodeChecker"]
    trace = names["visit"](checker, names["mallory_in"]).play(list(ENTRY))
    forced = force_by_trace(checker(RIGHT), victim=WRONG, intruder=RIGHT)
    return trace.violated and trace.answers["mallory"] is True and forced.victim is True


def refused(names: Names) -> bool:
    """Alice's right passcode is refused: by schedule, and on two real threads."""
    checker = names["PasscodeChecker"]
    trace = names["visit"](checker, names["alice_out"]).play(list(REFUSAL))
    forced = force_by_trace(checker(RIGHT), victim=RIGHT, intruder=WRONG)
    return trace.violated and trace.answers["alice"] is False and forced.victim is False


def half_fixed(names: Names) -> bool:
    """Without the board Mallory still passes: she returns Alice's answer, which stands on the small board."""
    checker = names["NoBoard"]
    found = names["visit"](checker, names["mallory_in"]).explore()
    forced = force_by_trace(checker(RIGHT), victim=WRONG, intruder=RIGHT, line=last_line(checker))
    return found.verdict == "broken" and found.minimal.preemptions == 1 and forced.victim is True


def no_spin(names: Names) -> bool:
    """Without the loop the language still allows the race: the explorer finds it, a tracer lets it in."""
    checker = names["NoSpin"]
    found = names["visit"](checker, names["mallory_in"]).explore()
    forced = force_by_trace(checker(RIGHT), victim=WRONG, intruder=RIGHT)
    return found.verdict == "broken" and found.minimal.preemptions == 1 and forced.victim is True


def one_call(names: Names) -> bool:
    """Alice walks through the call in Mallory's window: the helper waits until her visit is over."""
    checker, alice = names["OneCall"](RIGHT), _Alice()
    names["OneCall"].check.__globals__["log"] = lambda text: alice.visit(checker)
    return checker.check(WRONG) is True


def finaliser(names: Names) -> bool:
    """Alice walks through an assignment: the word that falls off the board waits for her in its finaliser."""
    checker, alice = names["Finaliser"](RIGHT), _Alice()

    def wait(word: object) -> None:
        alice.visit(checker)

    checker.input_buffer = type("Waiting", (names["Word"],), {"__del__": wait})(WRONG)
    return checker.check(WRONG) is True


class _Alice:
    """A second thread that visits once, from the first place that calls it, and is waited for."""

    def __init__(self) -> None:
        self.came = False

    def visit(self, checker: Any) -> None:
        """Let Alice in and out again in a thread of her own; later calls do nothing."""
        if not self.came:
            self.came = True
            thread = Thread(target=checker.check, args=(RIGHT,))
            thread.start()
            thread.join()


def serial_clean(name: str) -> Probe:
    """Return the control: both serial orders of the class `name` give both visitors their own answer."""

    def clean(names: Names) -> bool:
        visits = names["visit"](names[name], names["mallory_in"])
        answers = [dict(visits.play(list(order)).answers) for order in SERIAL]
        return answers == [{"alice": True, "mallory": False}] * 2

    return clean


def fixes_proved(names: Names) -> bool:
    """Every interleaving of both fixes keeps both invariants."""
    return all(
        names["visit"](names[fixed], names[never]).explore().verdict == "proved"
        for fixed in ("OwnBoard", "OneDoor")
        for never in ("mallory_in", "alice_out")
    )


def _fault(name: str, oracle: str, show: Probe, checker: str) -> Fault:
    return Fault(name, UNIT, oracle, CONTROL, FIX, show, serial_clean(checker), fixes_proved)


NO_ENTRY = "no wrong passcode passes"
EVERY_ORDER = f"{NO_ENTRY}, over all interleavings"
FAULTS: tuple[Fault, ...] = (
    _fault("checker-shared-buffer", NO_ENTRY, enters, "PasscodeChecker"),
    _fault("checker-false-reject", "everybody gets their own answer", refused, "PasscodeChecker"),
    _fault("checker-shared-result", EVERY_ORDER, half_fixed, "NoBoard"),
    _fault("checker-no-spin", EVERY_ORDER, no_spin, "NoSpin"),
    _fault("checker-one-call", NO_ENTRY, one_call, "OneCall"),
    _fault("checker-finaliser", NO_ENTRY, finaliser, "Finaliser"),
)
