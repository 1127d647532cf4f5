"""A small model, a small cache, and a slow device that stands in for torch.cuda."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from sharedstate.faults import load as load_fault
from sharedstate.faults.unit07 import BUGS, UNIT
from sharedstate.kvcache import SlotCache
from sharedstate.model import GPT, GPTConfig

sys.path.insert(0, str(Path(__file__).parent))  # copy_programs, for several test files


class Keep(TorchDispatchMode):
    """Puts operations into a stream instead of doing them."""

    def __init__(self, stream: FakeStream) -> None:
        super().__init__()
        self.fake = stream

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kept = dict(kwargs or {})
        self.fake.jobs.append(lambda: func(*args, **kept))
        return kept.get("out", args[0])


class FakeEvent:
    """A place in a stream."""

    def __init__(self, stream: FakeStream, place: int) -> None:
        self.stream, self.place = stream, place

    def query(self) -> bool:
        return self.stream.done >= self.place

    def synchronize(self) -> None:
        self.stream.work(self.place)


class FakeStream:
    """Jobs in order; nothing is done before somebody waits for it."""

    def __init__(self, cuda: FakeCuda) -> None:
        self.jobs: list[Callable[[], object]] = []
        self.done = 0
        cuda.streams.append(self)

    def work(self, place: int) -> None:
        while self.done < place:
            self.done += 1
            self.jobs[self.done - 1]()

    def record_event(self) -> FakeEvent:
        return FakeEvent(self, len(self.jobs))

    def wait_event(self, event: FakeEvent) -> None:
        self.jobs.append(event.synchronize)

    def synchronize(self) -> None:
        self.work(len(self.jobs))


class FakeCuda:
    """torch.cuda as far as it is used; `slept` are the delays that were asked for."""

    def __init__(self, backwards: bool = False) -> None:
        self.streams: list[FakeStream] = []
        self.slept: list[int] = []
        self.backwards = backwards

    def Stream(self) -> FakeStream:
        return FakeStream(self)

    @contextmanager
    def stream(self, stream: FakeStream) -> Iterator[None]:
        with Keep(stream):
            yield

    def synchronize(self) -> None:
        for stream in reversed(self.streams) if self.backwards else self.streams:
            stream.synchronize()

    def _sleep(self, cycles: int) -> None:
        self.slept.append(cycles)


@pytest.fixture
def slow_device() -> type[FakeCuda]:
    """The class of a device that takes real tensor operations and does each only when somebody waits for it."""
    return FakeCuda


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """These models are small: a second thread of torch only waits."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def tiny() -> GPT:
    """A model in float64, small enough to compare everything with everything."""
    return GPT(GPTConfig(vocab_size=12, d_model=16, num_heads=4, num_kv_heads=2), seed=0).double()


@pytest.fixture
def cache() -> SlotCache:
    """Three slots of eight tokens, two layers, two heads of four."""
    return SlotCache(3, 8, 2, 2, 4)


@pytest.fixture(scope="session")
def bugs() -> dict[str, type]:
    """The classes that lesson 07 shows, by fault."""
    return {name: load_fault(UNIT, name).make()[bug.variant] for name, bug in BUGS.items()}
