"""The explorer against the public peers for Python threads, on the same programs, in one process, in turns.

Every ratio is the median of alternating rounds; `spread` is half the distance between the quartiles. Part of
each ratio comes from coarser steps: the peers switch between bytecode instructions, the explorer between
accesses to shared state. Rewriting the code under test is paid once a scenario and not part of the ratios: it
stands beside them as `rewrite_ms`. frontrun 0.7.0 is needed (extra peers); interleave-test 0.1.0 where Python is 3.12
or newer.
"""

from __future__ import annotations

import os
import statistics
import sys
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


PROGRAMS = (
    ("checker2", Checker, (right, wrong)),
    ("counter2", Counter, (add, add)),
    ("lcg2x2", Lcg, (draw_twice, draw_twice)),
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
    """Random schedules a second: ours on generators and on pooled threads, each over frontrun's.

    Ours over 4,000 schedules of one exploration: what is learned of the threads in the first ones serves the rest.
    `random_ratio_400` is that of an exploration of 400.
    """
    ratios: dict[int, list[float]] = {4000: [], 400: []}
    threads = []
    for _, setup, bodies in PROGRAMS:
        room = scenario(setup, bodies)
        theirs = seconds(lambda s=setup, b=bodies: peer(s, b, strategy="random", max_attempts=40)) / 40
        for count, found in ratios.items():
            found.append(theirs / (seconds(lambda r=room, n=count: r.explore("random", executions=n)) / count))
        threads.append(theirs / real_schedule(room, 200))
    return {
        "random_ratio": min(ratios[4000]), "random_ratio_400": min(ratios[400]), "threads_ratio": min(threads),
    }


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


def real_schedule(room: Any, count: int) -> float:
    """Seconds for one random schedule on pooled real threads."""
    from sharedstate.interleave.findings import Budget
    from sharedstate.interleave.search import Search

    engine = room._engine

    def schedules(many: int) -> None:
        Search(lambda: engine.make_real(record=False), engine.questions, Budget(many, 60.0), 0).random(0)

    with engine.threads():
        schedules(1)
        return seconds(lambda: schedules(count)) / count


def exhaustive(name: str, setup: Callable[[], Any], bodies: tuple, times: int) -> dict[str, float]:
    """Wall time of a whole reduced search, theirs over ours."""
    room = scenario(setup, bodies)
    options = {"strategy": "dpor", "preemption_bound": None, "stop_on_first": False, "max_executions": 100_000}
    theirs = seconds(lambda: peer(setup, bodies, **options))
    ours = seconds(lambda: [room.explore("dpor") for _ in range(times)]) / times
    return {name: theirs / ours}


def first_bug() -> dict[str, float]:
    """Time until a user knows of the first wrong passcode that passes, theirs over ours, both as they come.

    frontrun then runs the failing schedule ten times more; ours shrinks and confirms it when it is asked for.
    """

    def let_in(state: Checker) -> None:
        state.wrong_passed = state.check("guess")

    room = scenario(Checker, (right, wrong), never=lambda state, answers: answers["t1"])
    found: list[Any] = []
    theirs = seconds(
        lambda: found.append(
            peer(
                Checker,
                (right, let_in),
                strategy="dpor",
                invariant=lambda state: not getattr(state, "wrong_passed", False),
            )
        )
    )
    ours = seconds(lambda: room.explore("dpor", first=True))
    if found[0].property_holds:
        raise RuntimeError("frontrun did not find the race, so its time means nothing")
    return {"first_bug_ratio": theirs / ours}


def sequential_cost() -> dict[str, float]:
    """What one generator schedule of unit 01's checker costs, over plain calls of it one after the other."""
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
    from sharedstate.interleave.search import Search

    same = total = 0
    for _, setup, bodies in PROGRAMS:
        room = scenario(setup, bodies)
        engine = room._engine
        search = Search(engine.make, engine.questions, Budget(10_000, 60.0), 0)
        schedules = [execution.schedule for execution in search.all().kept]
        with engine.threads():
            for schedule in schedules:
                total += 1
                same += engine.confirm(schedule)
    return {"replay_identical": same / total}


def one_round() -> dict[str, float]:
    """Every ratio once."""
    row = random_rates() | other_peer() | rewriting() | first_bug() | sequential_cost()
    row |= exhaustive("exhaustive_ratio_2", Checker, (right, wrong), 20)
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
    figures["spread"] = {key: round(half_range(values), 2) for key, values in series.items()}
    return figures


if __name__ == "__main__":
    print(run())
