"""The racy programs of units 01 to 03, watched, in the order that hurts; and their repairs in the same order."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from sharedstate.faults.unit03 import _LockedGauss
from sharedstate.isolation import attack
from sharedstate.isolation.grains import COMPANY
from sharedstate.watch import Watch
from sharedstate.watch.turns import Turns

Names = dict[str, Any]
RIGHT, WRONG = "s3cret", "guess"
ENTRY, REFUSAL = ("mallory", "alice*", "mallory*"), ("alice", "mallory*", "alice*")


Play = Callable[[Names, str, float], Watch]
NEVER, SOON = 10.0, 0.05  # a racy program blocks nobody: its moves are never skipped; a repair blocks on purpose


@dataclass(frozen=True)
class Program:
    """`play(names, name of the class, patience)` gives the log of one run; `pairs` (reader, writer) that it names."""

    kind: str
    fixed: tuple[str, ...]
    play: Play
    pairs: tuple[tuple[str, str], ...]


def threads(
    make: Callable[[Names, str], Any], calls: Mapping[str, Callable[[Any], Any]], moves: Sequence[str],
    fields: Sequence[str], shared: Sequence[str] = (),
) -> Play:  # fmt: skip
    """Threads at one object, in this order of the accesses to these fields; all fields are watched."""

    def play(names: Names, kind: str, patience: float) -> Watch:
        turns = Turns(moves, ["lock", *(f"state.{field}" for field in fields)], patience)
        log = Watch(turns.before)
        state = log.wrap(make(names, kind), "state", shared)
        if hasattr(state, "mine"):
            state.mine = log.wrap(state.mine, "mine")
        if hasattr(state, "lock"):
            state.lock = log.wrap(state.lock, "lock")
        run(turns, log, {name: partial(call, state) for name, call in calls.items()})
        return log

    return play


def run(turns: Turns, log: Watch, calls: Mapping[str, Callable[[], object]]) -> None:
    """Run the calls; an exception is nothing that these programs do."""
    for answer in turns.run(log, calls).values():
        if isinstance(answer, BaseException):
            raise answer


def visit(moves: Sequence[str]) -> Play:
    """Alice and Mallory at a checker."""
    calls = {"alice": lambda c: c.check(RIGHT), "mallory": lambda c: c.check(WRONG)}
    return threads(lambda names, kind: names[kind](RIGHT), calls, moves, ("input_buffer", "result"))


def units(
    make: Callable[[Names, str], Any], draw: Callable[[Any], Any], moves: Sequence[str], *fields: str
) -> Play:
    """Two units that draw once; what they draw from passes from one to the other on purpose."""
    shared = [f"{field}{end}" for field in fields for end in ("", "[]")]
    return threads(make, {"unit0": draw, "unit1": draw}, moves, fields, shared)


def tasks(names: Names, kind: str, patience: float) -> Watch:
    """Alice and Mallory as tasks: an event loop takes them in turn."""
    log = Watch()
    checker = log.wrap(names[kind](RIGHT), "checker")
    names["word"] = log.wrap(names["word"], "word")
    if hasattr(checker, "mine"):
        checker.mine = log.wrap(checker.mine, "mine")

    async def one(name: str, word: str) -> object:
        with log.work(name):
            return await checker.check(word)

    async def both() -> None:
        await asyncio.gather(one("alice", RIGHT), one("mallory", WRONG))

    asyncio.run(both())
    return log


def transfers(names: Names, kind: str, patience: float) -> Watch:
    """Alice holds one lock and Bob the other."""
    turns = Turns(("alice", "bob", "alice", "bob*"), ("lock a", "lock b"), patience)
    log, bank = Watch(turns.before), names[kind]()
    bank.a, bank.b = log.wrap(bank.a, "lock a"), log.wrap(bank.b, "lock b")
    log.wrap(bank, "bank", shared=("moved",))
    turns.run(log, {"alice": bank.there, "bob": bank.back})  # one of them may end with a Deadlock
    return log


def queued(names: Names, kind: str, patience: float) -> Watch:
    """Alice, then a guest, served by one task."""
    log = Watch()
    names["user"] = log.wrap(names["user"], "user")

    class Desk(names[kind]):
        async def serve(self, name: str | None, reply: Any) -> None:
            with log.work(name or "guest"):
                await super().serve(name, reply)

    async def all_three() -> None:
        desk = Desk()
        await asyncio.gather(desk.ask("alice"), desk.ask(None), desk.worker())

    asyncio.run(all_three())
    return log


def pooled(names: Names, kind: str, patience: float) -> Watch:
    """Alice, then a guest, in the one thread of a pool."""
    log = Watch()

    class Server(names[kind]):
        def handle(self, name: str | None) -> object:
            with log.work(name or "guest"):
                return super().handle(name)

    server = Server()
    server.mine = log.wrap(server.mine, "mine")
    server.ask("alice"), server.ask(None)
    server.pool.shutdown()
    return log


def served(names: Names, kind: str, patience: float) -> Watch:
    """Two clients of a server, both in the gap."""
    log = Watch()
    names["visitor"] = log.wrap(names["visitor"], "visitor")

    class Page(names[kind]):
        def do_GET(self) -> None:
            with log.lock:
                log.wrap(self.server, "server", fields=("visitor",))
            with log.work(self.path.strip("/")):
                super().do_GET()

    attack(Page, rounds=1)
    return log


def cancelled(names: Names, kind: str, patience: float) -> Watch:
    """Alice is cancelled between her command and her reply; then Bob asks."""
    log = Watch()
    connection = log.wrap(names[kind](), "connection", shared=("replies",))

    async def one(name: str) -> object:
        with log.work(name):
            return await connection.ask(name)

    async def both() -> None:
        alice = asyncio.create_task(one("alice"))
        await asyncio.sleep(0)
        alice.cancel()
        await asyncio.gather(alice, return_exceptions=True)
        await one("bob")

    asyncio.run(both())
    return log


def store(names: Names, kind: str) -> Any:
    """State down to the request, or in the repair down to the shard; `kind` is the depth."""
    return names["Store"](int(kind))


def shared_generator(names: Names, kind: str, patience: float) -> Watch:
    """Unit 1 draws first; unit 0 gets what is left."""
    turns = Turns(("unit1*", "unit0*"), patience=patience)
    log = Watch(turns.before)
    if kind == "OwnStream":
        rng = log.wrap(names["OwnStream"](7), "streams")
        calls = {f"unit{unit}": partial(rng.draw, unit) for unit in range(2)}
    else:
        rng = log.wrap(random.Random(7), "rng", calls=("getrandbits",))
        calls = {f"unit{unit}": partial(names["one_draw"], rng) for unit in range(2)}
    run(turns, log, calls)
    return log


def gauss(names: Names, kind: str, patience: float) -> Watch:
    """A twin waits, and both read it."""
    make = names["as_class"]("Gauss", names["GAUSS"])
    turns = Turns(IN_TURN, ("rng.gauss_next",), patience)
    log = Watch(turns.before)
    rng = log.wrap(names["with_a_twin"](make), "rng", ("gauss_next",))
    draw = _LockedGauss(rng, threading.Lock()).draw if kind == "locked" else rng.gauss
    run(turns, log, {"unit0": draw, "unit1": draw})
    return log


def made(names: Names, kind: str, *args: object) -> Any:
    """An object of the lesson's class."""
    return names[kind](*args)


IN_BOARD = ("OwnBoard", "OneDoor")
WHOLE = ("LockOnly", "LocalOnly", "PerThread", "Frozen")
APART = ("ContextTask", "LockedTask", "NoAwait")
M_A, A_M = (("mallory", "alice"),), (("alice", "mallory"),)
SHARDS = {name: (lambda s, who=who: s.job(who)) for name, who in
          zip(("one", "two"), COMPANY["two shards, one request"], strict=True)}  # fmt: skip
LOGINS = {"alice": lambda m: m.process("alice"), "bob": lambda m: m.process("bob")}
IN_TURN = ("unit0", "unit1*", "unit0*")
PROGRAMS: Mapping[str, Program] = MappingProxyType({
    "checker-shared-buffer": Program("PasscodeChecker", IN_BOARD, visit(ENTRY), M_A),
    "checker-false-reject": Program("PasscodeChecker", IN_BOARD, visit(REFUSAL), A_M),
    "checker-shared-result": Program("NoBoard", IN_BOARD, visit(ENTRY), M_A),
    "checker-no-spin": Program("NoSpin", IN_BOARD, visit(ENTRY), M_A),
    "checker-one-call": Program("OneCall", IN_BOARD, visit(ENTRY), M_A),
    "checker-finaliser": Program("Finaliser", IN_BOARD, visit(ENTRY), M_A),
    "half-fix-two-locks": Program("TwoLocks", WHOLE, visit(("mallory*2", *ENTRY[1:])), M_A),
    "half-fix-new-lock": Program("NewLock", WHOLE, visit(ENTRY), M_A),
    "half-fix-shared-result": Program("SharedResult", WHOLE, visit(ENTRY), M_A),
    "PY-02": Program("Middleware", ("LocalMiddleware",), threads(made, LOGINS, ("alice", "bob*", "alice*"),
                                                                 ("strategy",)), (("alice", "bob"),)),
    "deadlock-lock-order": Program("Bank", ("OrderedBank",), transfers, (("bob", "alice"), ("alice", "bob"))),
    "await-in-the-gap": Program("AwaitInGap", APART, tasks, A_M),
    "grain-thread-for-tasks": Program("ThreadLocalTask", APART, tasks, A_M),
    "context-in-a-worker-task": Program("Desk", ("ResetDesk",), queued, (("guest", "alice"),)),
    "PY-03": Program("PoolServer", ("CleanServer",), pooled, (("guest", "alice"),)),
    "server-mixes-answers": Program("SharedPage", ("ContextPage",), served, (("alice", "bob"), ("bob", "alice"))),
    "PY-01": Program("Connection", ("DroppedConnection",), cancelled, (("bob", "alice"),)),
    "grain-request-for-shards": Program("2", ("3",), threads(store, SHARDS, ("one*2", "two*", "one*"), ("words",)),
                                        (("one", "two"),)),
    "rng-shared-stream": Program("Random", ("OwnStream",), shared_generator, (("unit0", "unit1"),)),
    "rng-multi-step": Program("Xorshift", ("Locked",), units(lambda names, kind: names[kind](2026),
                              lambda rng: rng.draw(), IN_TURN, "state"), (("unit0", "unit1"),)),
    "RNG-02": Program("gauss", ("locked",), gauss, (("unit0", "unit1"),)),
    "unique-check-then-add": Program("Register", ("LockedRegister",), units(made, lambda r: r.new("q7"),
                                     ("unit0*2", "unit1*", "unit0*"), "seen"), (("unit0", "unit1"),)),
})  # fmt: skip
COPIED, DERIVED = "each has a copy: nobody writes what another reads", "arithmetic on seeds: nothing is shared"
NOT_SHARED: Mapping[str, str] = MappingProxyType({
    "RNG-01": COPIED, "seed-plus-unit": DERIVED, "seed-xor-unit": DERIVED, "seed-joined-text": DERIVED,
    "seed-low-bits": DERIVED, "seed-hash": DERIVED, "seed-padded-list": DERIVED, "modulo-bias": DERIVED,
})  # fmt: skip
