"""The programs on a device's streams: a slow fake device shows every bug, the fixes hold, the CPU says what it is.

The fake (conftest.py) stands in for torch.cuda and takes the real tensor operations: what is called inside
`stream(…)` is kept, and done only when somebody waits for it. It is the slowest device that there can be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
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

from sharedstate.devices import Device
from sharedstate.kvcache import copies, streams
from sharedstate.kvcache.copies import fetch, load, upload
from sharedstate.kvcache.streams import Outcome, complaints, on_device, run

CPU = Device("cpu", "CPU", "no CUDA device")


WRONG = ((upload, one_buffer, "alice_row holds bob's, bob_row holds bob's"),
         (upload, two_buffers, "alice_row holds carol's, bob_row holds bob's, carol_row holds carol's"),
         (fetch, reads_too_early, "the host has bob's"), (load, no_event, "answer holds bob's"),
         (load, event_before, "answer holds bob's"))  # fmt: skip
RIGHT = ((upload, waits), (upload, waits_for_buffer), (fetch, reads_after), (load, event_after))


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "ELEMENTS", 8)


@pytest.mark.parametrize(("room", "program", "seen"), WRONG)
def test_a_slow_device_shows_each_bug_in_every_run(
    slow_device: type, room: Any, program: Callable, seen: str
) -> None:
    outcome = run(room, program, CPU, slow_device(backwards=True))
    assert (outcome.wrong, outcome.runs, outcome.seen) == (3, 3, seen)
    assert complaints({program.__name__: outcome}, [program.__name__]) == []


@pytest.mark.parametrize(("room", "program"), RIGHT)
@pytest.mark.parametrize("backwards", [False, True])
def test_a_slow_device_does_not_break_the_fixes(
    slow_device: type, room: Any, program: Callable, backwards: bool
) -> None:
    outcome = run(room, program, CPU, slow_device(backwards))
    assert (outcome.wrong, outcome.runs, outcome.seen) == (0, 3, "")
    assert complaints({program.__name__: outcome}, []) == []


def test_each_copy_is_delayed_longer_from_run_to_run_and_not_in_the_first_use(slow_device: type) -> None:
    cuda = slow_device()
    run(load, no_event, CPU, cuda)
    assert cuda.slept == [streams.CYCLES, 2 * streams.CYCLES, 4 * streams.CYCLES]


def test_the_fake_keeps_real_operations_until_somebody_waits(slow_device: type) -> None:
    cuda = slow_device()
    stream = cuda.Stream()
    a, b = torch.zeros(2), torch.ones(2)
    with cuda.stream(stream):
        a.copy_(b, non_blocking=True)
    mark = stream.record_event()
    assert a.tolist() == [0, 0] and not mark.query()
    mark.synchronize()
    assert a.tolist() == [1, 1] and mark.query()


@pytest.mark.parametrize(("room", "program"), [(room, program) for room, program, _ in WRONG] + list(RIGHT))
def test_on_the_cpu_every_program_ends_well(room: Any, program: Callable) -> None:
    assert run(room, program, CPU).wrong == 0


def test_on_the_cpu_no_broken_program_is_called_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert on_device(upload, CPU, one_buffer, waits) == {}
    first, *lines = capsys.readouterr().out.splitlines()
    assert "cannot show itself here" in first and streams.QUICK in first
    assert [line.split(maxsplit=1) for line in lines] == [
        ["one_buffer", "breaks in the model"], ["waits", "proved in the model, over all orders"]
    ]  # fmt: skip


@pytest.mark.parametrize(("room", "program"), [(upload, waits), (load, event_after)])
def test_the_latest_engine_does_no_harm_to_a_right_program(room: Any, program: Callable) -> None:
    trace = copies.late(room(program))
    assert trace.finished and not trace.violated
    assert {act.lands for act in copies.acts(room, trace)} == {None, True}


def test_the_latest_engine_shows_the_bug_and_the_acts_say_where() -> None:
    trace = copies.late(upload(one_buffer))
    assert trace.violated
    assert [(act.thread, act.text, act.lands) for act in copies.acts(upload, trace)] == [
        ("host", "pinned = alice's", None), ("host", "to copies: pinned → alice_row", None),
        ("host", "pinned = bob's", None), ("host", "to copies: pinned → bob_row", None),
        ("copies", "pinned → alice_row: bob's", False), ("copies", "pinned → bob_row: bob's", True),
    ]  # fmt: skip
    told = copies.acts(load, copies.late(load(no_event)))
    assert [act.text for act in told if act.lands is False] == ["slot → answer: bob's"]


def test_what_is_not_as_it_must_be_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = {"racy": Outcome("racy", 3, 2, "x holds y"), "fixed": Outcome("fixed", 3, 1, "x holds y")}
    said = complaints(outcomes, ["racy"])
    assert len(said) == 2 and "racy" in said[0] and "must be wrong in every run" in said[0]
    assert "fixed" in said[1] and "must be right in every run" in said[1]
    assert complaints({"racy": Outcome("racy", 3, 3), "fixed": Outcome("fixed", 3, 0)}, ["racy"]) == []
    monkeypatch.setenv("CUDA_LAUNCH_BLOCKING", "1")
    assert "unset it" in complaints(outcomes, ["racy"])[0]


def test_a_torn_place_is_called_a_mixture() -> None:
    memory = streams.DeviceMemory(upload, "cpu")
    memory.pinned = "bob's"
    assert memory.pinned == "bob's" and memory.other is None
    memory.tensors["pinned"][3] = 1
    assert memory.pinned == streams.MIXED


def test_torch_has_what_the_device_uses() -> None:
    assert callable(torch.cuda._sleep) and callable(torch.cuda.stream)
    assert {"record_event", "wait_event", "synchronize"} <= set(dir(torch.cuda.Stream))
    assert {"query", "synchronize"} <= set(dir(torch.cuda.Event))


def test_a_place_that_there_is_not_is_named_with_those_there_are() -> None:
    memory = streams.DeviceMemory(upload, "cpu")
    with pytest.raises(AttributeError, match=r"no place 'pined'\. There are: pinned, other"):
        memory.pined = "alice's"
    with pytest.raises(AttributeError, match="no place 'pined'"):
        streams.DeviceStream(streams.Inline(), memory.tensors, 0).copy("pined", "alice_row")
