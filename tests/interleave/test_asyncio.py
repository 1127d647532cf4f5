"""asyncio under the explorer: awaits are the switch points, every schedule is the same on a real event loop."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import threading
from collections.abc import Callable
from typing import Any

import pytest

from sharedstate.interleave import Scenario
from sharedstate.interleave.access.registry import Registry
from sharedstate.interleave.execution import ScenarioError
from sharedstate.interleave.sites import NotModelled

USER: contextvars.ContextVar[str] = contextvars.ContextVar("user", default="nobody")


class Server:
    """A checker as tasks would share it, and something of every kind to await."""

    def __init__(self) -> None:
        self.correct = "s3cret"
        self.buffer = ""
        self.n = 0
        self.log: list = []
        self.ready = False
        self.lock = asyncio.Lock()
        self.event = asyncio.Event()
        self.slots = asyncio.Semaphore(1)
        self.queue: asyncio.Queue = asyncio.Queue()
        self.blocking = threading.Lock()
        self.own = threading.local()

    async def check(self, candidate: str) -> bool:
        self.buffer = candidate
        await asyncio.sleep(0)
        return self.buffer == self.correct

    async def check_without_await(self, candidate: str) -> bool:
        self.buffer = candidate
        return self.buffer == self.correct

    async def check_locked(self, candidate: str) -> bool:
        async with self.lock:
            return await self.check(candidate)

    async def check_in_thread_local(self, candidate: str) -> bool:
        self.own.buffer = candidate
        await asyncio.sleep(0)
        return self.own.buffer == self.correct

    async def check_in_context(self, candidate: str) -> bool:
        USER.set(candidate)
        await asyncio.sleep(0)
        return USER.get() == self.correct


def wrong_passes(s: Server, answers: dict) -> bool:
    return answers["mallory"] is True


def race(method: str, **more: Any) -> Any:
    """A right and a wrong candidate at the same time."""
    return explore(
        {"alice": lambda s: getattr(s, method)("s3cret"), "mallory": lambda s: getattr(s, method)("guess")},
        never=wrong_passes, **more,
    )  # fmt: skip


def explore(threads: dict[str, Callable], strategy: str = "all", **more: Any) -> Any:
    """Explore tasks; hold every schedule to a real event loop, and the reduced search to all interleavings."""
    scenario = Scenario(Server, threads, **more)
    result = scenario.explore(strategy)
    hold_to_a_real_loop(scenario)
    assert scenario.explore("dpor").outcomes == result.outcomes
    return result


def hold_to_a_real_loop(scenario: Scenario) -> int:
    """Every schedule takes the same steps, with the same values and the same end, on a real event loop."""
    engine, todo, tried = scenario._engine, [b""], 0
    with engine.threads():
        while todo and tried < 150:
            prefix = todo.pop()
            run = engine.make()
            for index in prefix:
                run.move(index, run.enabled())
            while enabled := run.enabled():
                todo += [bytes(run.schedule) + bytes([other]) for other in enabled[1:]]
                run.move(enabled[0], enabled)
            schedule = bytes(run.schedule)
            run.close()
            assert engine.confirm(schedule), schedule
            tried += 1
    return tried


def answers(result: Any) -> set:
    return {a for a, _ in result.outcomes}


# -- the checker ---------------------------------------------------------------------------------------


def test_an_await_in_the_gap_is_the_race() -> None:
    """Two tasks of two steps each: 6 orders, by hand (a start, a rest; m start, m rest)."""
    result = race("check")
    assert result.verdict == "broken"
    assert result.coverage == "all 6 interleavings"
    assert answers(result) == {(True, False), (True, True), (False, False)}
    assert result.minimal.confirmed
    assert result.minimal.real == "a real event loop"
    assert "confirmed on a real event loop" in str(result)
    assert "confirmed on a real event loop" in str(result.minimal)
    assert [(s.thread, s.kind) for s in result.minimal.steps if s.switch] == [("alice", "start"), ("mallory", "resume")]
    assert sum(s.blame for s in result.minimal.steps) == 2


def test_without_an_await_there_is_no_race() -> None:
    result = race("check_without_await")
    assert (result.verdict, result.coverage, answers(result)) == ("proved", "all 2 interleavings", {(True, False)})


def test_an_asyncio_lock_is_proved() -> None:
    result = race("check_locked")
    assert (result.verdict, answers(result)) == ("proved", {(True, False)})
    assert result.assumptions == ()


def test_threading_local_is_shared_between_tasks_and_contextvars_are_not() -> None:
    shared = race("check_in_thread_local")
    assert shared.verdict == "broken"
    assert answers(shared) == {(True, False), (True, True), (False, False)}
    own = race("check_in_context")
    assert (own.verdict, answers(own)) == ("proved", {(True, False)})


def test_a_context_variable_leaks_in_one_long_lived_worker_task() -> None:
    async def worker(s: Server) -> list:
        served = []
        for _ in range(2):
            name = await s.queue.get()
            served.append((name, USER.get()))
            USER.set(name)
        return served

    async def send(s: Server) -> None:
        await s.queue.put("alice")
        await s.queue.put("mallory")

    result = explore({"worker": worker, "sender": send})
    assert answers(result) == {(None, (("alice", "nobody"), ("mallory", "alice")))}


def test_the_loops_own_order() -> None:
    result = race("check", order="loop")
    assert (result.coverage, answers(result)) == ("the only interleaving", {(False, False)})
    assert any("keeps its own order" in text for text in result.assumptions)
    real = asyncio.run(_together(Server()))
    assert real == [False, False]


async def _together(s: Server) -> list:
    """The same two tasks on the loop as it is."""
    return await asyncio.gather(s.check("s3cret"), s.check("guess"))


async def order_of(s: Server, name: str) -> list:
    """Some awaits of different kinds, with a mark after each."""
    for k, pause in enumerate((0, 0.02 if name == "a" else 0.01, 0)):
        await asyncio.sleep(pause)
        s.log.append((name, k))
    async with s.lock:
        await asyncio.sleep(0)
        s.log.append((name, "locked"))
    await asyncio.gather(asyncio.sleep(0), asyncio.sleep(0))
    s.log.append((name, "gathered"))
    return list(s.log)


def counted() -> asyncio.SelectorEventLoop:
    """The plain loop; its clock jumps to the next timer, so that a busy machine lets no two of them ring together."""
    loop, now = asyncio.SelectorEventLoop(), [0.0]
    select = loop._selector.select

    def jump(timeout: float | None) -> list:
        now[0] += timeout or 0.0
        return select(0)

    loop.time, loop._selector.select = lambda: now[0], jump
    return loop


def test_the_loops_own_order_is_that_of_a_plain_loop() -> None:
    async def plainly() -> list:
        s = Server()
        await asyncio.gather(order_of(s, "a"), order_of(s, "b"))
        return s.log

    threads = {name: (lambda s, name=name: order_of(s, name)) for name in ("a", "b")}
    result = Scenario(Server, threads, observe=lambda s: s.log, order="loop").explore("all")
    assert result.coverage == "the only interleaving"
    with asyncio.Runner(loop_factory=counted) as runner:
        assert [list(view) for _, view in result.outcomes] == [runner.run(plainly())]


# -- what tasks wait for ---------------------------------------------------------------------------------


async def add(s: Server) -> None:
    value = s.n
    await asyncio.sleep(0)
    s.n = value + 1


async def add_in_slot(s: Server) -> None:
    async with s.slots:
        await add(s)


def test_a_semaphore_and_a_lost_update() -> None:
    lost = explore({"a": add, "b": add}, observe=lambda s: s.n, never=lambda s, a: s.n == 1)
    assert (lost.verdict, {view for _, view in lost.outcomes}) == ("broken", {1, 2})
    proved = explore({"a": add_in_slot, "b": add_in_slot}, observe=lambda s: s.n)
    assert (proved.verdict, {view for _, view in proved.outcomes}) == ("proved", {2})


def test_events_queues_and_deadlock() -> None:
    async def wait(s: Server) -> bool:
        return await s.event.wait()

    async def ring(s: Server) -> None:
        s.event.set()

    assert explore({"a": wait, "b": ring}).verdict == "proved"
    alone = explore({"a": wait})
    assert alone.verdict == "deadlock"
    assert "waits for its await (test_asyncio.py, line " in str(alone.outcomes)

    async def give(s: Server) -> None:
        await s.queue.put(1)

    async def take(s: Server) -> int:
        return await s.queue.get()

    assert answers(explore({"a": take, "b": give})) == {(1, None)}


def test_gather_and_create_task_start_tasks_of_their_own() -> None:
    async def both(s: Server) -> list:
        return await asyncio.gather(s.check("s3cret"), s.check("guess"))

    result = explore({"a": both}, never=lambda s, a: a["a"][1])
    assert result.verdict == "broken"
    assert answers(result) == {((True, False),), ((True, True),), ((False, False),)}
    assert result.minimal.threads == ("a", "a-1", "a-2")

    async def child(s: Server) -> str:
        task = asyncio.create_task(add(s))
        name = asyncio.current_task().get_name() + " " + task.get_name()
        await task
        return name

    assert answers(explore({"a": child})) == {("a a-1",)}


def test_a_timeout_may_come_at_any_time() -> None:
    async def patient(s: Server) -> str:
        try:
            await asyncio.wait_for(s.event.wait(), 1)
        except TimeoutError:
            return "timeout"
        return "rung"

    async def ring(s: Server) -> None:
        s.event.set()

    assert answers(explore({"a": patient, "b": ring})) == {("rung", None), ("timeout", None)}
    loop = Scenario(Server, {"a": patient, "b": ring}, order="loop").explore()
    assert answers(loop) == {("rung", None)}


def test_a_polling_loop_ends_in_a_verdict() -> None:
    async def poll(s: Server) -> str:
        while not s.ready:
            await asyncio.sleep(0)
        return "go"

    async def ready(s: Server) -> None:
        await asyncio.sleep(0)
        s.ready = True

    assert answers(explore({"a": poll, "b": ready})) == {("go", None)}
    assert explore({"a": poll}).verdict == "no progress"


def test_a_thread_lock_across_an_await_holds_up_the_whole_loop() -> None:
    async def held(s: Server) -> None:
        with s.blocking:
            await asyncio.sleep(0)

    result = explore({"a": held, "b": held})
    assert result.verdict == "deadlock"
    assert "the event loop, which b holds up" in str(result.outcomes)


def test_a_loop_without_an_await_does_not_hang() -> None:
    async def forever(s: Server) -> None:
        while not s.ready:
            pass

    assert explore({"a": forever}).verdict in ("deadlock", "no progress")


# -- cancellation -----------------------------------------------------------------------------------------


async def transfer(s: Server) -> str:
    s.n -= 1
    await asyncio.sleep(0)
    s.log.append(1)
    return "moved"


async def transfer_safely(s: Server) -> str:
    s.n -= 1
    try:
        await asyncio.sleep(0)
    except asyncio.CancelledError:
        s.n += 1
        raise
    s.log.append(1)
    return "moved"


def test_cancellation_at_each_await() -> None:
    def lost(s: Server, a: dict) -> bool:
        return s.n + len(s.log) != 0

    plain = explore({"a": transfer}, never=lost)
    assert plain.verdict == "proved"
    broken = explore({"a": transfer}, never=lost, cancel="a")
    assert (broken.verdict, answers(broken)) == ("broken", {("moved",), ("CancelledError: ",)})
    assert [s.kind for s in broken.minimal.steps if s.thread == "cancel-a"] == ["cancel"]
    assert explore({"a": transfer_safely}, never=lost, cancel="a").verdict == "proved"


def test_several_processes_find_the_same() -> None:
    scenario = Scenario(Server, {"a": transfer, "b": transfer_safely}, cancel="a", observe=lambda s: s.n)
    alone, together = scenario.explore("dpor"), scenario.explore("dpor", workers=2)
    assert together.outcomes == alone.outcomes
    assert (("CancelledError: ", "moved"), -2) in alone.outcomes


def test_a_cancelled_waiter_of_a_lock_does_not_block_the_others() -> None:
    async def locked(s: Server) -> str:
        async with s.lock:
            await asyncio.sleep(0)
        return "done"

    result = explore({"a": locked, "b": locked}, cancel="a")
    assert result.verdict == "proved"
    assert answers(result) == {("done", "done"), ("CancelledError: ", "done")}


# -- by hand, with tokens, in a notebook's loop, and what is refused ----------------------------------------


def test_play_replay_and_session() -> None:
    threads = {"alice": lambda s: s.check("s3cret"), "mallory": lambda s: s.check("guess")}
    room = Scenario(Server, threads, never=wrong_passes)
    trace = room.play(["mallory", "alice*", "mallory*"])
    assert (trace.verdict, trace.confirmed) == ("broken", True)
    assert trace.schedule == ("mallory", "alice", "alice", "mallory")
    assert room.replay(trace.token).answers == trace.answers
    session = room.session()
    assert session.enabled == ["alice", "mallory"]
    session.step("mallory")
    assert session.solution() == ["alice", "alice", "mallory"]
    session.close()
    cancelled = Scenario(Server, {"a": transfer}, cancel="a").play(["a", "cancel-a", "a"])
    assert isinstance(cancelled.answers["a"], asyncio.CancelledError)


def test_inside_a_running_loop_as_in_a_notebook() -> None:
    async def cell() -> tuple:
        before = asyncio.current_task()
        result = race("check")
        await asyncio.sleep(0)
        return result.verdict, asyncio.current_task() is before

    assert asyncio.run(cell()) == ("broken", True)


def test_threads_beside_the_loop_are_refused() -> None:
    async def beside(s: Server) -> Any:
        return await asyncio.to_thread(len, "abc")

    async def executor(s: Server) -> Any:
        return await asyncio.get_running_loop().run_in_executor(None, len, "abc")

    for body in (beside, executor):
        with pytest.raises(NotModelled, match=r"asyncio.to_thread\(\) are not modelled beside tasks"):
            Scenario(Server, {"a": body}).explore()


def test_an_os_thread_beside_tasks_is_refused() -> None:
    async def start(s: Server) -> None:
        threading.Thread(target=len, args=("",)).start()

    with pytest.raises(NotModelled, match="an OS thread started beside tasks is not modelled"):
        Scenario(Server, {"a": start}).explore()


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_loop_of_ones_own_is_refused() -> None:
    with pytest.raises(NotModelled, match="give the scenario the async functions, it runs the loop"):
        Scenario(Server, {"a": lambda s: asyncio.run(s.check("guess"))}).explore()
    gc.collect()


def test_wrong_arguments() -> None:
    with pytest.raises(ScenarioError, match='order must be "any" or "loop"'):
        Scenario(Server, {"a": add}, order="fifo")
    with pytest.raises(ScenarioError, match="cancel must be the name of a task: a, not 'b'"):
        Scenario(Server, {"a": add}, cancel="b")


def test_an_interrupt_leaves_no_loop_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    from sharedstate.interleave.runs import loop

    whole = loop.AsyncRun.step
    for k in range(1, 20):
        left = k

        def counting(*arguments: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
            return whole(*arguments)

        with monkeypatch.context() as patch:
            patch.setattr(loop.AsyncRun, "step", counting)
            with pytest.raises(KeyboardInterrupt):
                race("check")
        assert asyncio.events._get_running_loop() is None
    assert race("check_locked").verdict == "proved"


class OwnLoop(asyncio.SelectorEventLoop):
    """A loop as the explorer's own is: not of the standard library, and with a field."""

    kept: list


def test_below_an_event_loop_nothing_is_looked_for() -> None:
    """Its fields lead to the run itself, and by the names of a notebook's cell to the whole kernel."""
    loop, known = OwnLoop(), Registry({})
    loop.kept = [[]]
    known.add(loop, "loop")
    known.add([loop.kept[0]], "list")
    loop.close()
    assert known.names[id(loop)] == "loop" and known.names[id(loop.kept[0])] == "list[0]"
    assert id(loop.kept) not in known.names
