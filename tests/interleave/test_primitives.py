"""threading, queue and concurrent.futures under the explorer: exact outcomes, races found, fixes proved."""

from __future__ import annotations

import functools
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from sharedstate.interleave import Scenario
from sharedstate.interleave.sites import NotModelled


class Room:
    """Something of every kind to wait for."""

    def __init__(self) -> None:
        self.n = 0
        self.items: list = []
        self.ready = False
        self.lock = threading.Lock()
        self.condition = threading.Condition()
        self.shared = threading.Condition(self.lock)
        self.event = threading.Event()
        self.slots = threading.Semaphore(1)
        self.bounded = threading.BoundedSemaphore(1)
        self.barrier = threading.Barrier(2)
        self.box: queue.Queue = queue.Queue(1)
        self.simple: queue.SimpleQueue = queue.SimpleQueue()
        self.pool = ThreadPoolExecutor(1)
        self.own = threading.local()


def explore(*threads: Callable[[Room], Any], **more: Any) -> Any:
    """Explore these threads; hold every schedule to real threads, and the reduced search to all interleavings."""
    scenario = Scenario(Room, {f"t{i}": t for i, t in enumerate(threads)}, **more)
    result = scenario.explore("all")
    if result.executions <= 150:
        hold_to_real_threads(scenario)
        assert scenario.explore("dpor").outcomes == result.outcomes
    return result


def hold_to_real_threads(scenario: Scenario) -> int:
    """Every schedule takes the same steps, with the same values and the same end, on real threads."""
    engine, todo, tried = scenario._engine, [b""], 0
    with engine.threads():
        while todo:
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


def seen(result: Any) -> set:
    return {view for a, view in result.outcomes if a != "deadlock"}


# -- Condition ----------------------------------------------------------------------------------------


def produce(s: Room) -> None:
    with s.condition:
        s.items.append(1)
        s.condition.notify()


def consume(s: Room) -> int:
    with s.condition:
        while not s.items:
            s.condition.wait()
        return s.items.pop()


def consume_with_if(s: Room) -> int:
    with s.condition:
        if not s.items:
            s.condition.wait()
        return s.items.pop()


def consume_with_wait_for(s: Room) -> int:
    with s.condition:
        s.condition.wait_for(lambda: s.items)
        return s.items.pop()


def produce_two_notify_once(s: Room) -> None:
    with s.condition:
        s.items += [1, 2]
        s.condition.notify()


def produce_two_notify_all(s: Room) -> None:
    with s.condition:
        s.items += [1, 2]
        s.condition.notify_all()


def test_a_condition_with_while_is_proved() -> None:
    assert answers(explore(consume, produce)) == {(1, None)}
    assert explore(consume_with_wait_for, produce).verdict == "proved"


def test_an_if_in_place_of_while_is_a_stolen_wakeup() -> None:
    """One waits; an item comes; a late comer takes it before the woken thread has the lock again."""
    result = explore(consume_with_if, consume, produce, never=lambda s, a: isinstance(a["t0"], IndexError))
    assert result.verdict == "broken"
    assert result.minimal.confirmed


def test_notify_wakes_one_and_notify_all_wakes_all() -> None:
    once = explore(consume, consume, produce_two_notify_once)
    assert once.verdict == "deadlock"
    assert once.minimal.confirmed
    assert "notify() wakes the thread that has waited longest, as CPython does today" in once.assumptions
    everybody = explore(consume, consume, produce_two_notify_all)
    assert everybody.verdict == "proved"
    assert answers(everybody) == {(1, 2, None), (2, 1, None)}


def test_a_notify_before_the_wait_is_lost() -> None:
    def wait_blindly(s: Room) -> str:
        with s.condition:
            s.condition.wait()
        return "woken"

    def notify(s: Room) -> None:
        with s.condition:
            s.condition.notify()

    result = explore(wait_blindly, notify)
    assert answers(result) == {("woken", None), "deadlock"}
    assert ("deadlock", (("t0", "waits for Room.condition"),)) in result.outcomes


def test_a_wait_with_a_timeout_may_end_either_way() -> None:
    def wait(s: Room) -> bool:
        with s.shared:
            return s.shared.wait(0.1)

    def notify(s: Room) -> None:
        with s.shared:
            s.shared.notify()

    assert answers(explore(wait, notify)) == {(True, None), (False, None)}
    assert answers(explore(wait)) == {(False,)}


def test_a_loop_of_timeouts_ends_in_a_verdict() -> None:
    def wait(s: Room) -> str:
        with s.condition:
            while not s.ready:
                s.condition.wait(0.1)
        return "go"

    def end(s: Room) -> None:
        with s.condition:
            s.ready = True

    assert answers(explore(wait, end)) == {("go", None)}
    assert explore(wait).verdict == "no progress"


def test_a_loop_that_looks_under_a_lock_ends_in_a_verdict() -> None:
    def poll(s: Room) -> str:
        while True:
            with s.lock:
                if s.ready:
                    return "go"

    def end(s: Room) -> None:
        with s.lock:
            s.ready = True

    assert answers(explore(poll, end)) == {("go", None)}
    assert explore(poll).verdict == "no progress"

    def hold(s: Room) -> None:
        with s.lock:
            while not s.ready:
                pass

    assert explore(hold, end).verdict == "no progress"


def test_waiting_without_the_lock_raises() -> None:
    assert answers(explore(lambda s: s.condition.wait())) == {("RuntimeError: cannot wait on un-acquired lock",)}
    assert answers(explore(lambda s: s.condition.notify())) == {("RuntimeError: cannot notify on un-acquired lock",)}


def test_a_nested_rlock_is_given_back_altogether() -> None:
    def wait(s: Room) -> int:
        with s.condition, s.condition:
            while not s.items:
                s.condition.wait()
            return s.items.pop()

    assert answers(explore(wait, produce)) == {(1, None)}


# -- Event, Semaphore, Barrier -------------------------------------------------------------------------


def test_an_event_that_is_lowered_again_wakes_only_who_waits_already() -> None:
    def pulse(s: Room) -> None:
        s.event.set()
        s.event.clear()

    result = explore(lambda s: s.event.wait(), pulse)
    assert answers(result) == {(True, None), "deadlock"}
    fixed = explore(lambda s: s.event.wait(), lambda s: s.event.set())
    assert (fixed.verdict, answers(fixed)) == ("proved", {(True, None)})


def test_an_event_asked_or_waited_for_with_a_timeout() -> None:
    result = explore(lambda s: (s.event.wait(0), s.event.is_set()), lambda s: s.event.set())
    assert answers(result) == {((False, False), None), ((False, True), None), ((True, True), None)}


def add_in_slot(s: Room) -> None:
    with s.slots:
        s.n += 1


def test_a_semaphore_of_one_keeps_others_out_and_one_of_two_does_not() -> None:
    proved = explore(add_in_slot, add_in_slot, observe=lambda s: s.n)
    assert (proved.verdict, seen(proved)) == ("proved", {2})

    def wide() -> Room:
        room = Room()
        room.slots = threading.Semaphore(2)
        return room

    lost = Scenario(wide, {"a": add_in_slot, "b": add_in_slot}, never=lambda s, a: s.n == 1).explore()
    assert lost.verdict == "broken"
    assert lost.minimal.confirmed


def test_a_semaphore_that_is_never_given_back() -> None:
    result = explore(lambda s: s.slots.acquire(), lambda s: s.slots.acquire())
    assert (result.verdict, answers(result)) == ("deadlock", {"deadlock"})
    tries = explore(lambda s: s.slots.acquire(blocking=False), lambda s: s.slots.acquire(blocking=False))
    assert answers(tries) == {(True, False), (False, True)}
    patient = explore(lambda s: s.slots.acquire(timeout=1), lambda s: s.slots.acquire(timeout=1))
    assert answers(patient) == {(True, False), (False, True)}


def test_a_bounded_semaphore_notices_one_release_too_many() -> None:
    def twice(s: Room) -> None:
        with s.bounded:
            pass
        s.bounded.release()

    assert answers(explore(twice)) == {("ValueError: Semaphore released too many times",)}


def test_a_barrier_lets_nobody_go_before_all_have_come() -> None:
    def meet(s: Room) -> tuple:
        s.n += 1
        place = s.barrier.wait()
        return place, s.n

    def locked(s: Room) -> tuple:
        with s.lock:
            s.n += 1
        place = s.barrier.wait()
        return place, s.n

    assert answers(explore(locked, locked)) == {((0, 2), (1, 2)), ((1, 2), (0, 2))}
    assert ((0, 1), (1, 1)) in answers(explore(meet, meet))
    alone = explore(lambda s: s.barrier.wait())
    assert alone.verdict == "deadlock"


def test_a_barrier_runs_its_action_before_it_opens_and_can_break() -> None:
    def make() -> Room:
        room = Room()
        room.barrier = threading.Barrier(2, action=lambda: setattr(room, "ready", True))
        return room

    def meet(s: Room) -> bool:
        s.barrier.wait()
        return s.ready

    result = Scenario(make, {"a": meet, "b": meet}).explore()
    assert (result.verdict, answers(result)) == ("proved", {(True, True)})
    broken = explore(lambda s: s.barrier.wait(0.1), lambda s: s.barrier.abort())
    assert answers(broken) == {("BrokenBarrierError: ", None)}


def test_a_barrier_serves_again_and_again() -> None:
    def rounds(s: Room) -> str:
        for _ in range(2):
            s.barrier.wait()
        return "through"

    again = explore(rounds, rounds)
    assert (again.verdict, answers(again)) == ("proved", {("through", "through")})


# -- queues ---------------------------------------------------------------------------------------------


def test_a_queue_hands_over_in_order_and_waits_for_room() -> None:
    def put(s: Room) -> None:
        for item in (1, 2, 3):
            s.box.put(item)

    result = explore(put, lambda s: [s.box.get() for _ in range(3)])
    assert (result.verdict, answers(result)) == ("proved", {(None, (1, 2, 3))})
    stuck = explore(lambda s: (s.box.put(1), s.box.put(2)))
    assert stuck.verdict == "deadlock"


def test_looking_before_taking_is_a_race_and_get_nowait_is_not() -> None:
    def look(s: Room) -> Any:
        return None if s.box.empty() else s.box.get()

    def take(s: Room) -> Any:
        try:
            return s.box.get_nowait()
        except queue.Empty:
            return None

    def make() -> Room:
        room = Room()
        room.box.put("item")
        return room

    assert Scenario(make, {"a": look, "b": look}).explore().verdict == "deadlock"
    result = Scenario(make, {"a": take, "b": take}).explore()
    assert (result.verdict, answers(result)) == ("proved", {("item", None), (None, "item")})


def test_join_waits_for_task_done() -> None:
    def put(s: Room) -> int:
        s.box.put(1)
        s.box.join()
        return s.n

    def work(s: Room) -> None:
        s.n += s.box.get()
        s.box.task_done()

    def sloppy(s: Room) -> None:
        value = s.box.get()
        s.box.task_done()
        s.n += value

    assert answers(explore(put, work)) == {(1, None)}
    assert answers(explore(put, sloppy)) == {(1, None), (0, None)}


def test_timeouts_full_and_empty() -> None:
    def impatient(s: Room) -> Any:
        try:
            return s.box.get(timeout=1)
        except queue.Empty:
            return "empty"

    assert answers(explore(impatient, lambda s: s.box.put(1))) == {(1, None), ("empty", None)}
    assert answers(explore(lambda s: (s.box.put(1), s.box.put_nowait(2)))) == {("Full: ",)}
    assert answers(explore(lambda s: s.box.qsize(), lambda s: s.box.put(1))) == {(0, None), (1, None)}


def test_a_simple_queue() -> None:
    assert answers(explore(lambda s: s.simple.get(), lambda s: s.simple.put(1))) == {(1, None)}
    assert answers(explore(lambda s: s.simple.empty(), lambda s: s.simple.put(1))) == {(True, None), (False, None)}
    assert explore(lambda s: s.simple.get()).verdict == "deadlock"


# -- threads that a scenario starts ----------------------------------------------------------------------


def parent(s: Room, join: bool) -> int:
    def work() -> None:
        s.n += 1

    child = threading.Thread(target=work)
    child.start()
    if join:
        child.join()
    s.n += 1
    return s.n


def test_a_child_races_with_its_parent_unless_it_is_joined() -> None:
    def racing(s: Room) -> int:
        return parent(s, False)

    def joined(s: Room) -> int:
        return parent(s, True)

    result = explore(racing, never=lambda s, a: s.n == 1)
    assert result.verdict == "broken"
    assert result.minimal.confirmed
    assert result.minimal.threads == ("t0", "t0-1")
    proved = explore(joined, observe=lambda s: s.n)
    assert (proved.verdict, proved.outcomes) == ("proved", {((2,), 2)})


@pytest.mark.parametrize("strategy", ["all", "dpor", "preemptions", "random", "pct"])
def test_a_child_under_every_strategy(strategy: str) -> None:
    scenario = Scenario(Room, {"a": functools.partial(parent, join=False)}, never=lambda s, a: s.n == 1)
    result = scenario.explore(strategy, executions=100)
    assert (result.verdict, answers(result)) == ("broken", {(1,), (2,)})
    assert result.minimal.schedule == ("a", "a", "a-1", "a-1", "a", "a")
    assert scenario.replay(result.minimal.token, on="threads").violated
    assert scenario.play(["a", "a-1*", "a*"]).answers["a"] == 2
    assert result.funnel().bytecode is None
    session = scenario.session()
    session.step("a")
    assert session.threads == ("a", "a-1")
    assert session.solution() == ["a", "a-1", "a-1", "a", "a"]


def test_two_creators_name_their_own_children() -> None:
    def start(s: Room) -> None:
        def note() -> None:
            s.items.append(threading.current_thread().name)

        child = threading.Thread(target=note)
        child.start()
        child.join()

    result = explore(start, start, observe=lambda s: s.items)
    assert {frozenset(view) for view in seen(result)} == {frozenset({"t0-1", "t1-1"})}
    assert len(seen(result)) == 2


def test_a_subclass_of_thread_a_daemon_and_questions() -> None:
    class Worker(threading.Thread):
        def __init__(self, room: Room) -> None:
            super().__init__(daemon=True)
            self.room = room

        def run(self) -> None:
            while True:
                self.room.n += self.room.box.get()

    def use(s: Room) -> tuple:
        worker = Worker(s)
        before = worker.is_alive(), worker.ident
        worker.start()
        s.box.put(5)
        return (*before, worker.is_alive())

    result = explore(use, observe=lambda s: s.n)
    assert (result.verdict, result.outcomes) == ("proved", {(((False, None, True),), 5)})


def test_a_timer_may_ring_or_be_cancelled() -> None:
    def use(s: Room) -> None:
        timer = threading.Timer(1, lambda: setattr(s, "n", 1))
        timer.start()
        timer.cancel()
        timer.join()

    assert seen(explore(use, observe=lambda s: s.n)) == {0, 1}


def test_wrong_uses_raise_what_python_raises() -> None:
    def twice(s: Room) -> None:
        child = threading.Thread(target=len, args=("",))
        child.start()
        child.start()

    assert answers(explore(twice)) == {("RuntimeError: threads can only be started once",)}
    assert answers(explore(lambda s: threading.Thread().join())) == {
        ("RuntimeError: cannot join thread before it is started",)
    }


def test_identity_of_threads() -> None:
    result = explore(
        lambda s: (threading.get_ident() == threading.current_thread().ident, threading.current_thread().name),
        lambda s: s.n,
    )
    assert answers(result) == {((True, "t0"), 0)}


def test_locks_that_threads_make_themselves() -> None:
    def share(s: Room) -> None:
        with s.lock:
            if not s.items:
                s.items.append(threading.Lock())
        with s.items[0]:
            s.n += 1

    result = explore(share, share, observe=lambda s: s.n)
    assert (result.verdict, seen(result)) == ("proved", {2})


# -- pools ----------------------------------------------------------------------------------------------


def whoami(s: Room, name: str) -> Any:
    before = getattr(s.own, "user", None)
    s.own.user = name
    return before


def test_thread_isolation_is_not_request_isolation() -> None:
    """A pool's thread is used again, and what a request left in a thread-local is found by the next one."""

    def requests(s: Room) -> tuple:
        first = s.pool.submit(whoami, s, "alice").result()
        return first, s.pool.submit(whoami, s, "mallory").result()

    result = explore(requests, never=lambda s, a: a["t0"][1] == "alice")
    assert (result.verdict, answers(result)) == ("broken", {((None, "alice"),)})

    def tidy(s: Room, name: str) -> Any:
        try:
            return whoami(s, name)
        finally:
            del s.own.user

    def tidy_requests(s: Room) -> tuple:
        first = s.pool.submit(tidy, s, "alice").result()
        return first, s.pool.submit(tidy, s, "mallory").result()

    fixed = explore(tidy_requests, never=lambda s, a: a["t0"][1] == "alice")
    assert (fixed.verdict, answers(fixed)) == ("proved", {((None, None),)})


def pool_of_two() -> Room:
    room = Room()
    room.pool = ThreadPoolExecutor(2)
    return room


def test_tasks_of_a_pool_race_with_each_other() -> None:
    def task(s: Room) -> None:
        s.n += 1

    def use(s: Room) -> int:
        with s.pool as pool:
            for _ in range(2):
                pool.submit(task, s)
        return s.n

    result = Scenario(pool_of_two, {"a": use}, never=lambda s, a: a["a"] == 1).explore("dpor")
    assert (result.verdict, answers(result)) == ("broken", {(1,), (2,)})
    assert result.minimal.confirmed
    one = explore(use)
    assert (one.verdict, answers(one)) == ("proved", {(2,)})


def test_map_results_exceptions_and_callbacks() -> None:
    def double(x: int) -> int:
        if x == 3:
            raise ValueError("three")
        return 2 * x

    def use(s: Room) -> tuple:
        doubled = list(s.pool.map(double, [1, 2]))
        bad: Future = s.pool.submit(double, 3)
        bad.add_done_callback(lambda f: s.items.append("done"))
        return tuple(doubled), str(bad.exception()), bad.done()

    result = explore(use, observe=lambda s: s.items)
    assert answers(result) == {(((2, 4), "three", True),)}
    assert ("done",) in seen(result)


def test_a_task_that_waits_for_another_in_a_full_pool_is_a_deadlock() -> None:
    def outer(s: Room) -> Any:
        return s.pool.submit(len, "abc").result()

    result = explore(lambda s: s.pool.submit(outer, s).result())
    assert result.verdict == "deadlock"
    wider = Scenario(pool_of_two, {"a": lambda s: s.pool.submit(outer, s).result()}).explore()
    assert (wider.verdict, answers(wider)) == ("proved", {(3,)})


def test_shutdown_ends_a_pool() -> None:
    def use(s: Room) -> str:
        s.pool.shutdown()
        try:
            s.pool.submit(len, "")
        except RuntimeError as error:
            return str(error)
        return "accepted"

    assert answers(explore(use)) == {("cannot schedule new futures after shutdown",)}


# -- what is left behind, and what is refused -----------------------------------------------------------


GLOBAL_EVENT = threading.Event()
GLOBAL_SLOTS = threading.Semaphore(1)
GLOBAL_CONDITION = threading.Condition()


def test_library_objects_of_a_module_are_as_before_after_every_schedule() -> None:
    def use(s: Room) -> None:
        GLOBAL_SLOTS.acquire()
        GLOBAL_EVENT.set()
        with GLOBAL_CONDITION:
            GLOBAL_CONDITION.notify_all()

    result = explore(use, use)
    assert result.verdict == "deadlock"
    assert (GLOBAL_EVENT.is_set(), GLOBAL_SLOTS._value, len(GLOBAL_CONDITION._waiters)) == (False, 1, 0)
    assert not [t for t in threading.enumerate() if t.name.startswith("sharedstate-")]


def test_what_has_no_model_is_refused_with_a_clear_word() -> None:
    def initialised(s: Room) -> Any:
        return ThreadPoolExecutor(1, initializer=len, initargs=("",)).submit(len, "").result()

    with pytest.raises(NotModelled, match=r"initializer=…\) is not modelled; call it at the start of each task"):
        explore(initialised)

    def crowd(s: Room) -> None:
        for _ in range(30):
            threading.Thread(target=len, args=("",)).start()

    with pytest.raises(NotModelled, match="more than 26 threads"):
        explore(crowd)


def test_partial_bodies_are_followed() -> None:
    def add(s: Room, by: int) -> None:
        s.n += by

    result = explore(functools.partial(add, by=1), functools.partial(add, by=2), observe=lambda s: s.n)
    assert seen(result) == {1, 2, 3}


@pytest.mark.parametrize("place", ["perform", "resume", "handover"])
def test_an_interrupt_at_any_step_leaves_nothing_behind(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A KeyboardInterrupt at the k-th step, for many k: locks, library objects and threads are as before."""
    from sharedstate.interleave.access import models
    from sharedstate.interleave.runs import generators, threads

    def use(s: Room) -> None:
        lazy = (x for x in (1, 2))
        with GLOBAL_CONDITION:
            GLOBAL_SLOTS.acquire()
            GLOBAL_EVENT.set()
            s.n += sum(lazy)
            GLOBAL_SLOTS.release()
        GLOBAL_EVENT.clear()

    owner, name = {
        "perform": (models.Op, "perform"),
        "resume": (generators.GeneratorRun, "on"),
        "handover": (threads.ThreadRun, "carry_on"),
    }[place]
    whole = getattr(owner, name)
    before, interrupted = threading.active_count(), 0
    for k in [*range(1, 40, 3), 100, 150, 200]:
        left = k

        def counting(*arguments: Any, whole: Callable = whole) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
            return whole(*arguments)

        with monkeypatch.context() as patch:
            patch.setattr(owner, name, counting)
            scenario = Scenario(Room, {"a": use, "b": use}, never=lambda s, a: True)
            try:
                _ = scenario.explore("preemptions", preemptions=1, executions=10).minimal
            except KeyboardInterrupt:
                interrupted += 1
        assert (GLOBAL_EVENT.is_set(), GLOBAL_SLOTS._value, GLOBAL_CONDITION._lock.acquire(False)) == (False, 1, True)
        GLOBAL_CONDITION._lock.release()
        assert threading.active_count() == before, threading.enumerate()
    assert interrupted >= 5
    result = Scenario(Room, {"a": use, "b": use}, observe=lambda s: s.n).explore("dpor")
    assert (result.verdict, seen(result)) == ("proved", {6})


def test_models_give_back_what_the_calls_do() -> None:
    """Only acquire and wait answer; a truthy answer of __exit__ would swallow the exception of a with block."""

    def answers(_: object) -> list:
        semaphore, condition, event = threading.Semaphore(1), threading.Condition(), threading.Event()
        box: queue.Queue = queue.Queue()
        with condition:
            told = [condition.notify(), condition.notify_all()]
        told += [semaphore.acquire(), semaphore.release(), event.set(), event.clear(), box.put(1), box.get()]
        told += [box.task_done(), box.join()]
        try:
            with semaphore:
                raise KeyError("out")
        except KeyError:
            told.append("out")
        return told

    found = Scenario(setup=object, threads={"a": answers}).explore()
    assert [outcome[0] for outcome in found.outcomes] == [(tuple(answers(None)),)]
