"""The faults of unit 02: half fixes, wrong grains, a context that stays behind, a circle of locks.

Every bug is forced: the explorer gives the shortest bad schedule, and real threads or a real event loop follow
it. The server's pages wait for each other in their gap. Nothing here waits for luck.
"""

from __future__ import annotations

from collections.abc import Callable

from sharedstate.faults.table import Fault, Names, Probe
from sharedstate.interleave import Scenario
from sharedstate.interleave.result import Result
from sharedstate.isolation import cancelled, logins, pooled, queued, tasks, transfers, visit
from sharedstate.isolation.grains import meeting

UNIT = "02_isolation_fixes"
LONE = "the same program, one visitor after the other"
SHARDS = "two shards, one request"
ROUNDS = 5

Room = Callable[[type], Scenario]


def found(room: Scenario) -> Result:
    """Try one execution of every class."""
    return room.explore("dpor")


def breaks(room: Room, kind: str, verdict: str = "broken") -> Probe:
    """Return the probe: the explorer finds this verdict, and its shortest schedule is confirmed for real."""

    def shown(names: Names) -> bool:
        result = found(room(names[kind]))
        return result.verdict == verdict and bool(result.minimal and result.minimal.confirmed)

    return shown


def proved(room: Room, *kinds: str) -> Probe:
    """Return the probe: every class of orders of each of these programs keeps the invariant."""
    return lambda names: all(found(room(names[kind])).verdict == "proved" for kind in kinds)


def in_turn(room: Room, kind: str, order: tuple[str, ...] = ("alice*", "mallory*")) -> Probe:
    """Return the control: one visitor after the other, everybody finishes and nothing is wrong."""

    def clean(names: Names) -> bool:
        trace = room(names[kind]).play(list(order))
        return trace.finished and not trace.violated

    return clean


def nobody_cancelled(names: Names) -> bool:
    """The control of the connection: without a cancel every order is clean."""
    return found(cancelled(names["Connection"], cancel=None)).verdict == "proved"


def answers_mix(page: str, expected: int) -> Probe:
    """Return the probe: two clients at a page get so many answers of each other, of 2 * ROUNDS."""

    def mixed(names: Names) -> bool:
        return names["attack"](names[page], rounds=ROUNDS) == expected

    return mixed


def one_client(names: Names) -> bool:
    """The control of the server: a client alone gets its own answers."""
    return names["attack"](names["SharedPage"], names=("alice",), rounds=ROUNDS) == 0


def shards_leak(names: Names) -> bool:
    """A buffer for each request lets two shards of one request mix."""
    result = found(meeting(names["Store"], SHARDS, 2))
    return result.verdict == "broken" and bool(result.minimal and result.minimal.confirmed)


def shards_in_turn(names: Names) -> bool:
    """The control: one shard after the other."""
    trace = meeting(names["Store"], SHARDS, 2).play(["one*", "two*"])
    return trace.finished and not trace.violated


def shards_apart(names: Names) -> bool:
    """The fix: a buffer for each shard."""
    return found(meeting(names["Store"], SHARDS, 3)).verdict == "proved"


OWN_ANSWER = "everybody gets the answer to their own passcode, over all orders"
OWN_REQUEST = "a request sees its own user and no other, over all orders"
WHOLE_LOCK = "one lock from the write to the last read, or nothing shared that is written"


def _half(name: str, kind: str) -> Fault:
    return Fault(f"half-fix-{name}", UNIT, OWN_ANSWER, LONE, WHOLE_LOCK, breaks(visit, kind), in_turn(visit, kind),
                 proved(visit, "LockOnly", "LocalOnly", "PerThread", "Frozen"))


def _task(name: str, kind: str) -> Fault:
    fix = "a context variable for each task, or an asyncio lock over the await"
    return Fault(name, UNIT, OWN_ANSWER, LONE, fix, breaks(tasks, kind), in_turn(tasks, kind),
                 proved(tasks, "ContextTask", "LockedTask", "NoAwait"))


FAULTS: tuple[Fault, ...] = (
    _half("two-locks", "TwoLocks"),
    _half("new-lock", "NewLock"),
    _half("shared-result", "SharedResult"),
    Fault("PY-02", UNIT, "each login sees its own strategy, over all orders", LONE, "a local variable",
          breaks(logins, "Middleware"), in_turn(logins, "Middleware", ("alice*", "bob*")),
          proved(logins, "LocalMiddleware")),
    Fault("deadlock-lock-order", UNIT, "everybody comes to an end, over all orders", LONE,
          "all locks in one fixed order", breaks(transfers, "Bank", "deadlock"),
          in_turn(transfers, "Bank", ("alice*", "bob*")), proved(transfers, "OrderedBank")),
    _task("await-in-the-gap", "AwaitInGap"),
    _task("grain-thread-for-tasks", "ThreadLocalTask"),
    Fault("context-in-a-worker-task", UNIT, OWN_REQUEST, "the guest before Alice",
          "the context is reset after each request", breaks(queued, "Desk"),
          in_turn(queued, "Desk", ("guest*", "alice*", "worker*", "guest*", "alice*")), proved(queued, "ResetDesk")),
    Fault("PY-03", UNIT, OWN_REQUEST, "the guest before Alice", "nothing stays behind in a thread of a pool",
          breaks(pooled, "PoolServer"), in_turn(pooled, "PoolServer", ("guest*", "pool-1*", "guest*", "alice*",
                                                                      "pool-1*", "alice*")),
          proved(pooled, "CleanServer")),
    Fault("server-mixes-answers", UNIT, "each client gets its own answers, on real sockets", "one client alone",
          "a context variable for each request", answers_mix("SharedPage", ROUNDS), one_client,
          answers_mix("ContextPage", 0)),
    Fault("PY-01", UNIT, "Bob reads the reply to his own command, over all orders and cancels",
          "the same connection, nobody cancelled", "drop a connection whose reply was not read",
          breaks(cancelled, "Connection"), nobody_cancelled, proved(cancelled, "DroppedConnection")),
    Fault("grain-request-for-shards", UNIT, "each shard reads what it wrote, over all orders", LONE,
          "a buffer for each shard", shards_leak, shards_in_turn, shards_apart),
)
