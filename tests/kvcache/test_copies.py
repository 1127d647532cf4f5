"""The copy engine and streams as threads: what goes wrong is found, the shortest order is real, each fix is proved."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import MappingProxyType

import pytest
from copy_programs import (
    event_after,
    event_before,
    no_event,
    one_buffer,
    reads_after,
    reads_too_early,
    two_buffers,
    waits,
    waits_for_buffer,
)  # fmt: skip

from sharedstate.faults.unit07_copies import FAULTS, breaks, proved, quick
from sharedstate.kvcache.copies import Memory, Stream, fetch, load, prompt, upload


def waits_too_late(memory, copies):
    one_buffer(memory, copies)
    copies.synchronize()


def two_rounds(memory, copies):
    memory.pinned = "alice's"
    copies.copy("pinned", "alice_row")
    memory.other = "bob's"
    copies.copy("other", "bob_row")


def marks_too_early(memory, copies):
    memory.pinned = "alice's"
    read = copies.record_event()
    copies.copy("pinned", "alice_row")
    memory.other = "bob's"
    copies.copy("other", "bob_row")
    read.synchronize()
    memory.pinned = "carol's"
    copies.copy("pinned", "carol_row")


def sends_nothing(memory, copies):
    memory.pinned = "alice's"


def waits_after_the_read(memory, copies, compute):
    copies.copy("saved", "slot")
    loaded = copies.record_event()
    compute.kernel("slot", "answer")
    compute.wait_event(loaded)


def host_waits(memory, copies, compute):
    copies.copy("saved", "slot")
    copies.synchronize()
    compute.kernel("slot", "answer")


def one_stream(memory, copies, compute):
    copies.copy("saved", "slot")
    copies.kernel("slot", "answer")


PROGRAMS = MappingProxyType({name: thing for name, thing in globals().items() if callable(thing)})

BROKEN = (
    (upload, one_buffer, 7), (upload, waits_too_late, 14), (upload, two_buffers, 24), (upload, marks_too_early, 104),
    (fetch, reads_too_early, 3), (load, no_event, 8), (load, event_before, 96), (load, waits_after_the_read, 96),
)  # fmt: skip
PROVED = (
    (upload, waits, 8), (upload, two_rounds, 5), (upload, waits_for_buffer, 50), (fetch, reads_after, 4),
    (load, event_after, 50), (load, host_waits, 8), (load, one_stream, 5),
)  # fmt: skip


@pytest.mark.parametrize(("room", "program", "classes"), BROKEN)
def test_what_goes_wrong_is_found_and_its_shortest_order_is_real(
    room: Callable, program: Callable, classes: int
) -> None:
    result = room(program).explore("dpor")
    assert (result.verdict, result.assumptions) == ("broken", ())
    assert result.coverage == f"{classes} of {classes} classes"
    trace = result.minimal
    assert trace.confirmed and trace.violated and trace.finished
    assert sum(step.blame for step in trace.steps) == 2
    again = room(program).replay(trace.token, on="threads")
    assert again.violated and again.schedule == trace.schedule


@pytest.mark.parametrize(("room", "program", "classes"), PROVED)
def test_each_fix_is_proved_and_nothing_is_taken_on_trust(room: Callable, program: Callable, classes: int) -> None:
    result = room(program).explore("dpor")
    assert (result.verdict, result.assumptions) == ("proved", ())
    assert result.coverage == f"{classes} of {classes} classes"
    assert room(program).explore("random", executions=50, seed=7).verdict != "broken"


@pytest.mark.parametrize(("room", "program"), [
    (upload, one_buffer), (fetch, reads_too_early), pytest.param(load, no_event, marks=pytest.mark.exhaustive)])
def test_plain_enumeration_agrees(room: Callable, program: Callable) -> None:
    everything, reduced = room(program).explore("all"), room(program).explore("dpor")
    assert everything.verdict == "broken" and everything.outcomes == reduced.outcomes


@pytest.mark.parametrize(("room", "program"), [(room, program) for room, program, _ in BROKEN])
def test_with_quick_engines_every_one_of_them_looks_right(room: Callable, program: Callable) -> None:
    trace = prompt(room(program))
    assert trace.finished and not trace.violated


def test_a_program_that_sends_nothing_is_not_right() -> None:
    assert prompt(upload(sends_nothing)).violated


def test_an_error_in_a_program_is_not_hidden() -> None:
    def raises(memory, copies):
        raise ValueError("no such thing")

    assert isinstance(prompt(fetch(raises)).answers["host"], ValueError)
    assert fetch(raises).explore("dpor").verdict == "broken"


def test_a_program_that_raises_when_all_is_sent_is_not_proved() -> None:
    def raises(memory, copies, compute):
        copies.copy("saved", "slot")
        copies.synchronize()
        compute.kernel("slot", "answer")
        raise ValueError("too late")

    trace = prompt(load(raises))
    assert trace.violated and isinstance(trace.answers["host"], ValueError)
    assert load(raises).explore("dpor").verdict == "broken"


# --- the model by itself, on a real thread


def test_a_stream_does_its_jobs_in_order_and_synchronize_waits() -> None:
    memory, stream = Memory((("a", 1), ("b", 2), ("c", None)), ()), Stream()
    mark = stream.record_event()
    assert not mark.query()
    thread = threading.Thread(target=stream.run, args=(memory,))
    stream.copy("a", "c")
    stream.copy("c", "b")
    assert (memory.b, memory.c) == (2, None)
    thread.start()
    stream.synchronize()
    assert (memory.b, memory.c) == (1, 1) and mark.query()
    stream.put("end")
    thread.join(10)
    assert not thread.is_alive()


# --- the faults


LONG = "copy-event-too-early"  # the table of faults walks it in the default tier
EACH = [pytest.param(fault, marks=[pytest.mark.exhaustive] * (fault.name == LONG)) for fault in FAULTS]


@pytest.mark.parametrize("fault", EACH, ids=lambda fault: fault.name)
def test_each_fault_shows_and_its_control_and_fix_are_clean(fault: object) -> None:
    assert (fault.show(PROGRAMS), fault.control_clean(PROGRAMS), fault.fix_clean(PROGRAMS)) == (True, True, True)


def test_the_probes_can_say_no() -> None:
    assert breaks("upload", "waits")(PROGRAMS) is False
    assert quick("upload", "sends_nothing")(PROGRAMS) is False
    assert proved("upload", "waits", "two_buffers")(PROGRAMS) is False
