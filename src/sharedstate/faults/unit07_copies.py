"""The faults of unit 07 that need no GPU: a copy engine and streams, tried by the explorer in every order."""

from __future__ import annotations

from sharedstate.faults.table import Fault, Names, Probe
from sharedstate.interleave import Scenario

UNIT = "07_slot_pollution"
OWN_DATA = "everybody's data stays their own, over all orders of the host's and the streams' steps"
QUICK = "the same program, each job done as soon as it is in its stream"


def scenario(room: str, program: object) -> Scenario:
    """Return the scenario of a program in a room of sharedstate.kvcache.copies: upload, load or fetch."""
    from sharedstate.kvcache import copies

    return getattr(copies, room)(program)


def breaks(room: str, program: str) -> Probe:
    """Return the probe: the explorer finds an order that mixes data, and its shortest one is confirmed for real."""

    def shown(names: Names) -> bool:
        result = scenario(room, names[program]).explore("dpor")
        return result.verdict == "broken" and bool(result.minimal and result.minimal.confirmed)

    return shown


def quick(room: str, program: str) -> Probe:
    """Return the control: with engines that are quick enough, the same program ends well."""

    def clean(names: Names) -> bool:
        from sharedstate.kvcache.copies import prompt

        trace = prompt(scenario(room, names[program]))
        return trace.finished and not trace.violated

    return clean


def proved(room: str, *programs: str) -> Probe:
    """Return the probe: no order of any of these programs mixes data, and nothing is taken on trust."""

    def clean(names: Names) -> bool:
        results = [scenario(room, names[program]).explore("dpor") for program in programs]
        return all(result.verdict == "proved" and not result.assumptions for result in results)

    return clean


def _fault(name: str, room: str, program: str, fix: str, *fixed: str) -> Fault:
    return Fault(f"copy-{name}", UNIT, OWN_DATA, QUICK, fix, breaks(room, program), quick(room, program),
                 proved(room, *fixed))


FAULTS: tuple[Fault, ...] = (
    _fault("host-overwritten", "upload", "one_buffer", "wait for the copy before the buffer is used again", "waits"),
    _fault("two-buffers", "upload", "two_buffers", "wait for the buffer's last copy, in each round",
           "waits_for_buffer"),
    _fault("answer-too-early", "fetch", "reads_too_early", "wait for the copy before the host reads", "reads_after"),
    _fault("read-without-event", "load", "no_event", "an event behind the write, and the reader waits for it",
           "event_after"),
    _fault("event-too-early", "load", "event_before", "the event is recorded behind the write", "event_after"),
)
