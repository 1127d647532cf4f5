"""The programs of `copies`, unchanged, on real CUDA streams: pinned memory, non-blocking copies, events.

The bugs are forced: before each copy the stream spins for a twentieth of a second and more, so whoever does not
wait for the copy comes too early for certain. Source: "CUDA semantics" in torch's notes (asynchronous execution,
streams, pinned memory buffers).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import torch
from torch import Tensor

from sharedstate.devices import Device
from sharedstate.kvcache.copies import ALICE, BOB, CAROL, Program, Room

WORDS = (None, ALICE, BOB, CAROL)  # a place holds a word as its number, in every element
MIXED = "a mixture"
ELEMENTS = 1 << 20  # 4 MiB a place: small enough for any GPU, too large to travel inside a command
CYCLES = 100_000_000  # a twentieth of a second at 2 GHz
RUNS = 3  # each with twice the delay of the one before
SERIAL = ("CUDA_LAUNCH_BLOCKING", "CUDA_DEVICE_MAX_CONNECTIONS")  # these hide the bugs
QUICK = "on a CPU a copy is done before the next line runs"
MODEL = MappingProxyType({"broken": "breaks in the model", "proved": "proved in the model, over all orders"})


@dataclass(frozen=True)
class Outcome:
    """What became of a program on a device: in how many of the runs data was mixed, and what it looked like then."""

    program: str
    runs: int
    wrong: int
    seen: str = ""

    @property
    def said(self) -> str:
        """The outcome as a part of a sentence."""
        count = f"wrong in {self.wrong} of {self.runs}" if self.wrong else f"right in {self.runs} of {self.runs}"
        return f"{self.program} {count} runs{self.seen and ': '}{self.seen}"

    def __str__(self) -> str:
        return f"{self.program:18} {self.said.removeprefix(self.program).lstrip()}"


class _Places(dict[str, Tensor]):
    """Tensors by the names of their places."""

    def __missing__(self, name: str) -> Tensor:
        raise AttributeError(f"Memory has no place {name!r}. There are: {', '.join(self)}.")


class DeviceMemory:
    """The places of a room as tensors [ELEMENTS], the host's pinned. Reads and writes as a program does them."""

    tensors: _Places

    def __init__(self, room: Room, kind: str) -> None:
        tensors = _Places()
        for name, word in room.places:
            where = {"pin_memory": kind == "cuda"} if name in room.on_host else {"device": kind}
            tensors[name] = torch.full((ELEMENTS,), float(WORDS.index(word)), **where)
        object.__setattr__(self, "tensors", tensors)

    def __setattr__(self, name: str, word: object) -> None:
        self.tensors[name].fill_(WORDS.index(word))

    def __getattr__(self, name: str) -> object:
        low, high = (int(edge) for edge in torch.aminmax(self.tensors[name]))
        return WORDS[low] if low == high else MIXED

    def said(self, names: Sequence[str]) -> list[str]:
        """Return what each of these places holds, in words; empty ones are left out."""
        words = {name: getattr(self, name) for name in names}
        return [f"{name} holds {word}" for name, word in words.items() if word is not None]


class DeviceStream:
    """A stream of `cuda`, which is torch.cuda or has its form, with the methods of copies.Stream.

    cycles: for so many of the device's clock the stream spins before each copy.
    """

    def __init__(self, cuda: Any, tensors: dict[str, Tensor], cycles: int) -> None:
        self.cuda, self.tensors, self.cycles, self.stream = cuda, tensors, cycles, cuda.Stream()

    def copy(self, source: str, target: str) -> None:
        """Copy one place to another, in this stream, without waiting."""
        with self.cuda.stream(self.stream):
            if self.cycles:
                self.cuda._sleep(self.cycles)
            self.tensors[target].copy_(self.tensors[source], non_blocking=True)

    def kernel(self, source: str, target: str) -> None:
        """Compute one place from another, in this stream."""
        with self.cuda.stream(self.stream):
            torch.mul(self.tensors[source], 1, out=self.tensors[target])

    def record_event(self) -> Any:
        """Return an event behind what is in the stream now."""
        return self.stream.record_event()

    def wait_event(self, mark: Any) -> None:
        """Let what comes into this stream from now on wait for the event."""
        self.stream.wait_event(mark)

    def synchronize(self) -> None:
        """Wait, on the host, until everything in the stream has been done."""
        self.stream.synchronize()


class Inline:
    """The CPU in the form of torch.cuda: one order for all, each job is done when its call returns."""

    class Stream:
        """A stream, and an event, that is always done."""

        def record_event(self) -> Inline.Stream:
            """Return an event that is done."""
            return self

        def wait_event(self, mark: object) -> None:
            """Go on: it is done."""

        def synchronize(self) -> None:
            """Go on: everything is done."""

        def query(self) -> bool:
            """Say that it is done."""
            return True

    def stream(self, stream: object) -> AbstractContextManager[None]:
        """Change nothing."""
        return nullcontext()

    def synchronize(self) -> None:
        """Go on: everything is done."""

    def _sleep(self, cycles: int) -> None:
        """Do not wait: nobody would do anything meanwhile."""


def run(room: Room, program: Program, device: Device, cuda: Any = None, runs: int = RUNS) -> Outcome:
    """Run a program several times on the device, each time with a longer delay, and count the wrong ends.

    room: upload, load or fetch of `copies`; cuda: in place of torch.cuda, for tests.
    """
    api = cuda or (torch.cuda if device.on_gpu else Inline())
    once(room, program, device.kind, api, 0)  # a kernel's first use loads it, and loading would wait for the delay
    ends = [once(room, program, device.kind, api, CYCLES << turn) for turn in range(runs)]
    wrong = [end for end in ends if end]
    return Outcome(program.__name__, runs, len(wrong), wrong[-1] if wrong else "")


def once(room: Room, program: Program, kind: str, cuda: Any, cycles: int) -> str:
    """Run a program once, with a delay before each copy. Return "" if it ended well, else what came out."""
    memory = DeviceMemory(room, kind)
    streams = [DeviceStream(cuda, memory.tensors, cycles) for _ in room.streams]
    cuda.synchronize()
    answer = program(memory, *streams)
    cuda.synchronize()
    if not room.wrong(memory, {"host": answer}):
        return ""
    return ", ".join(memory.said(room.results) + ([f"the host has {answer}"] if answer is not None else []))


def on_device(room: Room, device: Device, *programs: Program) -> dict[str, Outcome]:
    """Run each program on a GPU, print a line each, return the outcomes by the program's name.

    On a CPU nothing runs, since every program would end well: it prints why, and what the modelled threads do.
    """
    if not device.on_gpu:
        print(f"The difference cannot show itself here: {QUICK}. What the modelled threads do:")
        verdicts = {program.__name__: room(program).explore("dpor").verdict for program in programs}
        print(*(f"{name:18} {MODEL.get(verdict, verdict)}" for name, verdict in verdicts.items()), sep="\n")
        return {}
    found = {program.__name__: run(room, program, device) for program in programs}
    print(*found.values(), sep="\n")
    return found


def complaints(outcomes: dict[str, Outcome], broken: Sequence[str]) -> list[str]:
    """Return what is not as it must be on a GPU: `broken` wrong in every run, all others right in every run."""
    hints = "".join(f" {name} is set: unset it, it lets streams wait." for name in SERIAL if os.environ.get(name))
    return [
        f"{outcome.said}, but it must be {'wrong' if name in broken else 'right'} in every run.{hints}"
        for name, outcome in outcomes.items()
        if outcome.wrong != (outcome.runs if name in broken else 0)
    ]
