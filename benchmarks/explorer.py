"""The explorer against the public peers for Python threads, on the same programs, in one process, in turns.

Every ratio is the median of alternating rounds; `spread` is half the distance between the quartiles. Part of
each ratio comes from coarser steps: the peers switch between bytecode instructions, the explorer between
accesses to shared state. Rewriting the code under test is paid once a scenario and not part of the ratios: it
stands beside them as `rewrite_ms`. frontrun 0.7.0 is needed (extra peers); interleave-test 0.1.0 where Python is 3.12
or newer.
"""

from __future__ import annotations

import concurrent.futures
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from sharedstate.commands.bench import half_range, seconds

ROUNDS = 7


class Checker:
    """The passcode checker, without work in its window."""

    def __init__(self) -> None:
        self.correct, self.input_buffer, self.result = "s3cret", "", False

    def check(self, candidate: str) -> bool:
        """Racy: the board is shared."""
        self.input_buffer = candidate
        self.result = self.input_buffer == self.correct
        return self.result


class Slow(Checker):
    """The checker of unit 01: a loop between its write and its read."""

    def check(self, candidate: str) -> bool:
        """Racy: the board is shared, for longer."""
        self.input_buffer = candidate
        for _ in range(1000):
            pass
        self.result = self.input_buffer == self.correct
        return self.result


class Counter:
    """Racy: `+=` is a read and a write."""

    def __init__(self) -> None:
        self.value = 0

    def add(self) -> None:
        """One more."""
        self.value += 1


class Lcg:
    """A linear congruential generator that two threads share."""

    def __init__(self) -> None:
        self.state = 1

    def draw(self) -> int:
        """The next number, in two accesses."""
        self.state = (self.state * 69069 + 1) % 2**32
        return self.state


class Seats:
    """A free list and a dictionary of who sits where."""

    def __init__(self) -> None:
        self.free, self.by = ["1A", "1B"], {}

    def take(self, who: str) -> str | None:
        """Racy: two may find the last seat free."""
        if self.free:
            seat = self.free.pop()
            self.by[who] = seat
            return seat
        return None


class Stock:
    """A dictionary of lists."""

    def __init__(self) -> None:
        self.lots, self.sold = {"a": [1, 2], "b": [3]}, 0

    def sell(self, name: str) -> int:
        """Racy: looks, then takes."""
        lot = self.lots[name]
        if len(lot) > 0:
            self.sold += lot.pop()
        return self.sold


class Thermostat:
    """A property with a setter."""

    def __init__(self) -> None:
        self.degrees, self.changes = 20, 0

    @property
    def target(self) -> int:
        """In degrees."""
        return self.degrees

    @target.setter
    def target(self, value: int) -> None:
        self.degrees = value
        self.changes += 1

    def warmer(self) -> int:
        """Racy: reads, then writes."""
        self.target = self.target + 1
        return self.target


class Accounts:
    """Two keys of one dictionary."""

    def __init__(self) -> None:
        self.balance = {"ann": 5, "ben": 5}

    def move(self, giver: str, taker: str) -> int:
        """Racy: two accounts, one after the other."""
        self.balance[giver] -= 1
        self.balance[taker] += 1
        return self.balance[giver]


def right(state: Checker) -> bool:
    """Alice."""
    return state.check("s3cret")


def wrong(state: Checker) -> bool:
    """Mallory."""
    return state.check("guess")


def add(state: Counter) -> None:
    """One more."""
    state.add()


def draw_twice(state: Lcg) -> None:
    """Two numbers."""
    state.draw()
    state.draw()


def ann_sits(state: Seats) -> str | None:
    """A seat for Ann."""
    return state.take("ann")


def ben_sits(state: Seats) -> str | None:
    """A seat for Ben."""
    return state.take("ben")


def sell(state: Stock) -> int:
    """One of lot a."""
    return state.sell("a")


def warmer(state: Thermostat) -> int:
    """One degree more."""
    return state.warmer()


def there(state: Accounts) -> int:
    """One from Ann to Ben."""
    return state.move("ann", "ben")


def back(state: Accounts) -> int:
    """One from Ben to Ann."""
    return state.move("ben", "ann")


PROGRAMS = (
    ("checker2", Checker, (right, wrong)),
    ("counter2", Counter, (add, add)),
    ("lcg2x2", Lcg, (draw_twice, draw_twice)),
)
OBJECTS = (
    ("seats2", Seats, (ann_sits, ben_sits)),
    ("stock2", Stock, (sell, sell)),
    ("thermostat2", Thermostat, (warmer, warmer)),
    ("accounts2", Accounts, (there, back)),
)


def scenario(setup: Callable[[], Any], bodies: tuple[Callable[[Any], Any], ...], never: Any = None) -> Any:
    """Ours, with its code rewritten."""
    from sharedstate.interleave import Scenario

    room = Scenario(setup=setup, threads={f"t{i}": body for i, body in enumerate(bodies)}, never=never)
    room.explore("random", executions=1)
    return room


def rewriting() -> dict[str, float]:
    """Milliseconds until the code under test has been rewritten and run once."""
    return {"rewrite_ms": 1e3 * seconds(lambda: scenario(Checker, (right, wrong)))}


def peer(setup: Callable[[], Any], bodies: tuple[Callable[[Any], Any], ...], **options: Any) -> Any:
    """frontrun's exploration; it refuses to start outside its own command unless this variable is set."""
    os.environ["FRONTRUN_ACTIVE"] = "1"
    import frontrun

    options.setdefault("invariant", lambda state: True)
    return frontrun.explore(setup=setup, workers=list(bodies), **options)


def random_rates() -> dict[str, float]:
    """Random schedules a second over frontrun's, the smallest of each group of programs.

    `object_ratio`: programs over dictionaries, lists and properties. `random_ratio_400` is that of an exploration of
    400 schedules, the others of 4,000.
    """
    long, short = zip(*(_rates(setup, bodies) for _, setup, bodies in PROGRAMS), strict=True)
    objects = [_rates(setup, bodies)[0] for _, setup, bodies in OBJECTS]
    return {"random_ratio": min(long), "random_ratio_400": min(short), "object_ratio": min(objects)}


def _rates(setup: Callable[[], Any], bodies: tuple) -> tuple[float, float]:
    """Their time for a schedule over ours, in an exploration of 4,000 and in one of 400."""
    room = scenario(setup, bodies)
    theirs = seconds(lambda: peer(setup, bodies, strategy="random", max_attempts=40)) / 40
    long, short = (theirs / (seconds(lambda n=n: room.explore("random", executions=n)) / n) for n in (4000, 400))
    return long, short


def other_peer() -> dict[str, float]:
    """Random schedules a second over interleave-test's; nothing where that is not installed (before Python 3.12)."""
    try:
        import interleave_test
    except ImportError:
        return {}
    ratios = []
    for _, setup, bodies in PROGRAMS:
        room = scenario(setup, bodies)

        def model(setup: Any = setup, bodies: Any = bodies) -> None:
            state = setup()
            for body in bodies:
                interleave_test.spawn(body, state)

        theirs = seconds(lambda m=model: interleave_test.explore(m, iterations=40, seed=1)) / 40
        ratios.append(theirs / (seconds(lambda r=room: r.explore("random", executions=400)) / 400))
    return {"random_over_interleave_test": min(ratios)}


def exhaustive(name: str, setup: Callable[[], Any], bodies: tuple, times: int) -> dict[str, float]:
    """Wall time of a whole reduced search, theirs over ours."""
    room = scenario(setup, bodies)
    options = {"strategy": "dpor", "preemption_bound": None, "stop_on_first": False, "max_executions": 100_000}
    theirs = seconds(lambda: peer(setup, bodies, **options))
    ours = seconds(lambda: [room.explore("dpor", witness=False) for _ in range(times)]) / times
    return {name: theirs / ours}


def sequential_cost() -> dict[str, float]:
    """What one random schedule of unit 01's checker costs, with everything that a search records, over plain calls."""
    room = scenario(Slow, (right, wrong))
    ours = seconds(lambda: room.explore("random", executions=400)) / 400

    def plain() -> None:
        state = Slow()
        right(state)
        wrong(state)

    return {"sequential_cost": ours / (seconds(lambda: [plain() for _ in range(2000)]) / 2000)}


def replays() -> dict[str, float]:
    """The share of explored schedules that end identically on real threads."""
    from sharedstate.interleave.findings import Budget
    from sharedstate.interleave.search.all import All
    from sharedstate.interleave.search.driver import Search

    same = total = 0
    for _, setup, bodies in PROGRAMS:
        room = scenario(setup, bodies)
        engine = room._engine
        search = Search(engine.make, engine.questions, Budget(10_000, 60.0), engine.program.revision)
        schedules = search.explore(All(search.found)).kept or []
        with engine.threads():
            for schedule in schedules:
                total += 1
                same += engine.confirm(schedule)
    return {"replay_identical": same / total}


class Slots:
    """A slot for each thread, in a dictionary and in a list."""

    def __init__(self) -> None:
        self.by_name, self.by_place, self.lock, self.value = {"a": 0, "b": 0}, [0, 0], threading.Lock(), 0


def locked(state: Slots) -> None:
    """One more, under a lock."""
    with state.lock:
        state.value += 1


class Buffer:
    """A buffer of one behind a condition."""

    def __init__(self) -> None:
        self.items, self.changed = [], threading.Condition()

    def put(self) -> None:
        """Put one in."""
        with self.changed:
            while self.items:
                self.changed.wait()
            self.items.append(1)
            self.changed.notify_all()

    def get(self) -> int:
        """Take one out."""
        with self.changed:
            while not self.items:
                self.changed.wait()
            item = self.items.pop()
            self.changed.notify_all()
            return item


def pooled(state: Counter) -> None:
    """Two jobs of a pool, one more each."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: state.add(), range(2)))


def times(count: int, place: Any = None) -> Callable[[Any], None]:
    """A thread that adds `count` times: to a counter, or to its own slot."""

    def counting(state: Counter) -> None:
        for _ in range(count):
            state.value += 1

    def keyed(state: Slots) -> None:
        slots = state.by_name if isinstance(place, str) else state.by_place
        for _ in range(count):
            slots[place] += 1

    return counting if place is None else keyed


GROWTH = (
    ("counter 2 × 3", Counter, (times(3),) * 2),
    ("counter 2 × 5", Counter, (times(5),) * 2),
    ("counter 3 × 2", Counter, (times(2),) * 3),
    ("own keys of a dictionary 2 × 5", Slots, (times(5, "a"), times(5, "b"))),
    ("own places of a list 2 × 5", Slots, (times(5, 0), times(5, 1))),
    ("locked counter 3 × 1", Slots, (locked,) * 3),
    ("buffer with a condition", Buffer, (Buffer.put, Buffer.put, Buffer.get, Buffer.get)),
    ("pool of two jobs", Counter, (pooled,)),
)


def growth() -> dict[str, str]:
    """How a reduced search grows: verdict, executions and seconds of processor time of each program, once."""
    table: dict[str, str] = {}
    for name, setup, bodies in GROWTH:
        room = scenario(setup, bodies)
        before = time.process_time()
        found = room.explore("dpor", witness=False)
        took = time.process_time() - before
        table[f"growth: {name}"] = f"{found.verdict}, {found.executions:,} executions, {took:.3f} s"
    return table


def witness_seconds() -> dict[str, float]:
    """What the second witness adds to the proof of a locked counter."""
    room = scenario(Slots, (locked, locked))
    alone = seconds(lambda: room.explore("dpor", witness=False))
    return {"witness_seconds": seconds(lambda: room.explore("dpor")) - alone}


def one_round() -> dict[str, float]:
    """Every figure once."""
    row = random_rates() | other_peer() | rewriting() | sequential_cost() | witness_seconds()
    return row | exhaustive("spin_ratio", Slow, (right, wrong), 10)


def run(rounds: int = ROUNDS) -> dict[str, object]:
    """The medians of `rounds` rounds; the search with three threads takes long at the peer, so it runs three times."""
    one_round()  # imports, caches and the first rewriting are not part of any figure
    rows = [one_round() for _ in range(rounds)]
    three = [exhaustive("exhaustive_ratio_3", Checker, (right, wrong, wrong), 1) for _ in range(min(3, rounds))]
    series: dict[str, list[float]] = {key: [row[key] for row in rows] for key in rows[0]}
    series["exhaustive_ratio_3"] = [row["exhaustive_ratio_3"] for row in three]
    series["replay_identical"] = [replays()["replay_identical"]]
    figures: dict[str, object] = {key: round(statistics.median(values), 2) for key, values in series.items()}
    figures["python"], figures["rounds"] = sys.version.split()[0], rounds
    figures |= growth()
    figures["spread"] = {key: round(half_range(values), 2) for key, values in series.items()}
    return figures


if __name__ == "__main__":
    print(run())
