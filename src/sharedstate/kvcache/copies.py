"""A copy engine and CUDA streams as threads: the same orders as on a GPU, and the explorer tries all of them.

A *stream* is a queue of jobs and a thread that does them one after the other. Who gives it a job goes on at
once: that is what "non-blocking" means. Two streams run side by side, and nothing orders their jobs but events.
A program is a function of a `Memory` and one or two streams. Plain Python; the names are torch's
(torch.cuda.Stream, torch.cuda.Event; "CUDA semantics" in torch's notes).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import Queue
from threading import Event
from types import MappingProxyType
from typing import Any

from sharedstate.interleave import Scenario
from sharedstate.interleave.trace import Trace

END = "end"  # the last job of a stream
ALICE, BOB, CAROL = "alice's", "bob's", "carol's"
Program = Callable[..., Any]
Answers = Mapping[str, object]


class Done(Event):
    """A mark in a stream: it is reached when everything that was in the stream before it has been done."""

    def query(self) -> bool:
        """Say whether the mark has been reached."""
        return self.is_set()

    def synchronize(self) -> None:
        """Wait, on the host, until the mark has been reached."""
        self.wait()


class Stream(Queue):
    """Jobs that are done in order, by a thread of their own. Each method returns at once, but `synchronize`."""

    def copy(self, source: str, target: str) -> None:
        """Copy one place of memory to another, later: `copy_(…, non_blocking=True)`."""
        self.put((source, target))

    def kernel(self, source: str, target: str) -> None:
        """Compute something from one place of memory into another, later. Here the result is what was read."""
        self.put((source, target))

    def record_event(self) -> Done:
        """Put a mark behind what is in the stream now."""
        mark = Done()
        self.put(mark.set)
        return mark

    def wait_event(self, mark: Done) -> None:
        """Let what comes into this stream from now on wait for a mark of another stream."""
        self.put(mark.wait)

    def synchronize(self) -> None:
        """Wait, on the host, until everything in the stream has been done."""
        self.record_event().synchronize()

    def run(self, memory: Memory) -> None:
        """Do the jobs in order, until END."""
        while (job := self.get()) != END:
            if isinstance(job, tuple):
                source, target = job
                setattr(memory, target, getattr(memory, source))
            else:
                job()


class Memory:
    """Named places, of the host and of the device; and the streams, each under its name."""

    def __init__(self, places: tuple[tuple[str, object], ...], streams: tuple[str, ...]) -> None:
        for name, value in places:
            setattr(self, name, value)
        for name in streams:
            setattr(self, name, Stream())


@dataclass(frozen=True)
class Room:
    """A machine for programs of one kind; called with a program it returns the scenario for the explorer.

    places: what memory holds before; streams: their names, in the order of the program's arguments;
    wrong(memory, answers) is asked in the end; on_host: the places that are the host's, all others are the device's;
    owns: the places in which data should end, each with whose.
    """

    places: tuple[tuple[str, object], ...]
    streams: tuple[str, ...]
    wrong: Callable[[Any, Answers], bool]
    on_host: tuple[str, ...]
    owns: tuple[tuple[str, str], ...] = ()

    @property
    def results(self) -> tuple[str, ...]:
        """The places in which the data should end."""
        return tuple(place for place, _ in self.owns)

    def __call__(self, program: Program) -> Scenario:
        """Return the scenario: the host runs the program, each stream has a thread, all end when they are done."""
        places, streams, wrong = self.places, self.streams, self.wrong

        def setup() -> tuple[Any, ...]:
            memory = Memory(places, streams)
            return (memory, *(getattr(memory, name) for name in streams))

        def host(machine: tuple[Any, ...]) -> Any:
            try:
                return program(*machine)
            finally:
                for stream in machine[1:]:
                    stream.put(END)

        threads = {"host": host} | {name: _engine(index) for index, name in enumerate(streams, 1)}
        return Scenario(setup, threads, never=lambda machine, answers: _failed(answers) or wrong(machine[0], answers))


def _failed(answers: Answers) -> bool:
    """A program that raises has not done its work, whatever lies in memory."""
    return any(isinstance(answer, BaseException) for answer in answers.values())


def _engine(index: int) -> Callable[[tuple[Any, ...]], None]:
    return lambda machine: machine[index].run(machine[0])


def prompt(scenario: Scenario) -> Trace:
    """Return the run with the quickest engines there are: a stream does each job before anybody else moves."""
    session = scenario.session()
    while session.enabled:
        session.step(next((name for name in session.enabled if name != "host"), "host"))
    return session.trace()


def late(scenario: Scenario) -> Trace:
    """Return the run with the slowest engines there are: the host goes on while it can, the last stream is next."""
    session = scenario.session()
    while session.enabled:
        session.step("host" if "host" in session.enabled else session.enabled[-1])
    return session.trace()


def slowest(room: Room, *programs: Program) -> dict[str, tuple[Act, ...]]:
    """Return what each program does when the engines come as late as they can, by the program's name."""
    return {program.__name__: acts(room, late(room(program))) for program in programs}


@dataclass(frozen=True)
class Act:
    """What a thread does, in words. lands: None, or whether what it copied belongs where it came to lie."""

    thread: str
    text: str
    lands: bool | None = None


def acts(room: Room, trace: Trace) -> tuple[Act, ...]:
    """Tell a run of a room in a few words a step: what is written, queued, waited for, and copied where."""
    found, owns = [], dict(room.owns)
    for step, then in zip(trace.steps, (*trace.steps[1:], None), strict=True):
        place, value = step.target.rpartition(".")[2], (step.value or "").strip("\"'")
        if step.thread != "host" and step.kind == "read" and then is not None and then.kind == "write":
            target = then.target.rpartition(".")[2]
            lands = (value == owns[target]) if target in owns else None
            found.append(Act(step.thread, f"{place} → {target}: {value}", lands))
        elif step.thread == "host" and step.kind in HOST:
            found.append(Act("host", HOST[step.kind](place, value)))
        elif step.thread != "host" and step.kind in ("wait", "set"):
            found.append(Act(step.thread, "reaches the mark" if step.kind == "set" else "waits for the mark"))
    return tuple(act for act in found if act.text)


def _queued(stream: str, job: str) -> str:
    """Say what the host puts into a stream."""
    if job == END:
        return ""
    if job.startswith("Event."):
        return f"to {stream}: " + ("a mark" if job == "Event.set" else "wait for the mark")
    source, target = job.strip("()").replace("'", "").split(", ")
    return f"to {stream}: {source} → {target}"


HOST: Mapping[str, Callable[[str, str], str]] = MappingProxyType({
    "write": lambda place, value: f"{place} = {value}",
    "put": _queued,
    "wait": lambda place, value: "waits for the mark",
    "wake": lambda place, value: "goes on",
    "read": lambda place, value: f"reads {place}: {value}",
})  # fmt: skip


def _mixed(memory: Any, answers: Answers) -> bool:
    return memory.alice_row != ALICE or memory.bob_row != BOB or memory.carol_row not in (None, CAROL)


# program(memory, copies) brings Alice's and Bob's data (Carol's is welcome too) into the rows of the same names,
# through the host's buffers `pinned` and `other`. Each row must end with its own data.
upload = Room(
    places=(("pinned", None), ("other", None), ("alice_row", None), ("bob_row", None), ("carol_row", None)),
    streams=("copies",),
    wrong=_mixed,
    on_host=("pinned", "other"),
    owns=(("alice_row", ALICE), ("bob_row", BOB), ("carol_row", CAROL)),
)

# program(memory, copies, compute) loads Alice's `saved` cache into `slot`, which was Bob's, and computes `answer`
# from the slot. The answer must be made of Alice's.
load = Room(
    places=(("saved", ALICE), ("slot", BOB), ("answer", None)),
    streams=("copies", "compute"),
    wrong=lambda memory, answers: memory.answer != ALICE,
    on_host=("saved",),
    owns=(("answer", ALICE),),
)

# program(memory, copies) brings Alice's `result` into the host's buffer `pinned`, where Bob's still is, and returns
# it. The host must return Alice's.
fetch = Room(
    places=(("result", ALICE), ("pinned", BOB)),
    streams=("copies",),
    wrong=lambda memory, answers: answers["host"] != ALICE,
    on_host=("pinned",),
)
