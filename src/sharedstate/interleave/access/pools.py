"""concurrent.futures: a pool's worker threads are simulated threads that are used again and again."""

from __future__ import annotations

import concurrent.futures
import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access.models import Emit, Op, Script, Sequence, calling, name, once, same, timed
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import NotModelled

ALWAYS_IDLE = sys.version_info < (3, 12)


@dataclass(eq=False)
class Pool:
    """A pool's work that waits, how many workers it has, and how many of them count as idle."""

    called: str
    most: int
    work: deque = field(default_factory=deque)
    workers: list = field(default_factory=list)
    idle: int = 0
    closed: bool = False


def _pool(run: Run, thread: SimThread, executor: ThreadPoolExecutor) -> Pool:
    """The model of an executor."""
    if id(executor) not in run.pools:
        run.pools[id(executor)] = Pool(name(run, thread, executor), executor._max_workers)
        if executor._initializer is not None:
            raise NotModelled("ThreadPoolExecutor(initializer=…) is not modelled; call it at the start of each task")
    return run.pools[id(executor)]


def submit(run: Run, thread: SimThread, executor: Any, function: Any, /, *arguments: Any, **keywords: Any) -> Script:
    """Hand in a task; a worker is started unless one is idle or the pool is full."""
    pool, future = _pool(run, thread, executor), Future[Any]()
    for value in (function, future, *arguments, *keywords.values()):
        run.registry.escape(value, thread.name)
    called = run.names[id(future)]

    def action() -> Future:
        if pool.closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        pool.work.append((future, called, function, arguments, keywords))
        if pool.idle:
            pool.idle -= 1
        elif len(pool.workers) < pool.most:
            worker = f"{pool.called.rpartition('.')[2]}-{len(pool.workers) + 1}"
            born = run.spawn(thread, lambda t: _worker(run, t, pool), True, worker)
            pool.workers.append(born)
        return future

    return (yield Op("submit", pool.called, action, keys=((pool.called, "work"),), show=lambda _: called))


def _worker(run: Run, thread: SimThread, pool: Pool) -> Script:
    """A worker's life: one task after another, until the pool is shut down and nothing is left."""
    keys = ((pool.called, "work"),)

    def take() -> Any:
        while pool.work:
            item = pool.work.popleft()
            if item[0].set_running_or_notify_cancel():
                return item
        return None

    def look() -> Any:
        if ALWAYS_IDLE or not pool.work:
            pool.idle += 1
            return None
        return take()

    while True:
        item = yield Op("take", pool.called, take, lambda: bool(pool.work) or pool.closed, keys, show=_task)
        while item is not None:
            yield from _work(run, *item)
            item = yield Op("ask", pool.called, look, keys=keys, show=_task)
        if pool.closed and not pool.work:
            return


def _task(item: Any) -> str:
    """Which task a worker took."""
    return item[1] if item else "no task"


def _work(run: Run, future: Future, called: str, function: Callable, arguments: tuple, keywords: dict) -> Script:
    """Do one task and keep its result, or its exception, in the future."""
    settle: Callable[[Any], None]
    shown: Any
    try:
        value = yield calling(run, function, arguments, keywords)
    except Exception as error:
        settle, shown = future.set_exception, error
    else:
        settle, shown = future.set_result, value
    run.registry.escape(shown, called)

    def end() -> None:
        run.ends[id(future)] = len(run.ends)
        settle(shown)

    yield Op("result", called, end, keys=((called, "result"),), show=lambda _: shown)
    for callback in run.callbacks.pop(id(future), []):
        yield calling(run, callback, (future,))


def _ended(future: Future) -> Callable[[], bool]:
    """The gate of a wait for a result."""
    return lambda: future._state in ("CANCELLED", "CANCELLED_AND_NOTIFIED", "FINISHED")


def _wait_for(question: str) -> Callable[..., Script]:
    """result() and exception()."""

    def ask(run: Run, thread: SimThread, future: Future, timeout: float | None = None) -> Script:
        gate = timed(run, thread, _ended(future), timeout)
        action = lambda: getattr(Future, question)(future, 0)  # noqa: E731
        return once(run, thread, future, "wait", "result", action, gate=gate, show=same)

    return ask


def _ask(question: str) -> Callable[..., Script]:
    """done(), running(), cancelled() and cancel()."""

    def ask(run: Run, thread: SimThread, future: Future) -> Script:
        action, mode = getattr(Future, question), int(question == "cancel")
        return once(run, thread, future, question, "result", lambda: action(future), mode=mode, show=bool)

    return ask


def add_done_callback(run: Run, thread: SimThread, future: Future, callback: Callable) -> Script:
    """The callback runs in the worker, or here and now if the result is there already."""
    called = name(run, thread, future)

    def action() -> bool:
        if not _ended(future)():
            run.callbacks.setdefault(id(future), []).append(callback)
        return _ended(future)()

    if (yield Op("call", f"{called}.add_done_callback", action, keys=((called, "result"),))):
        yield calling(run, callback, (future,))


def map_(run: Run, thread: SimThread, executor: Any, function: Callable, *sources: Any, **options: Any) -> Script:
    """Hand in one task per element; the results come in the order of the elements, when they are asked for."""
    futures = []
    for arguments in zip(*sources, strict=False):
        futures.append((yield from submit(run, thread, executor, function, *arguments)))
    return Sequence(_results(run, thread, futures, options.get("timeout")), "map")


def _results(run: Run, thread: SimThread, futures: list[Future], timeout: float | None) -> Script:
    """What map() gives: waits for one result after another."""
    for future in futures:
        yield Emit((yield from _wait_for("result")(run, thread, future, timeout)))


def shutdown(run: Run, thread: SimThread, executor: Any, wait: bool = True, *, cancel_futures: bool = False) -> Script:
    """No more tasks; with `wait`, until every worker has ended."""
    pool = _pool(run, thread, executor)

    def close() -> None:
        pool.closed = True
        while cancel_futures and pool.work:
            pool.work.popleft()[0].cancel()

    yield Op("shutdown", pool.called, close, keys=((pool.called, "work"),))
    if wait:
        for worker in pool.workers:
            yield Op("join", worker.name, lambda: None, _has_ended(worker), ((worker.name, "thread"),))


def _has_ended(worker: SimThread) -> Callable[[], bool]:
    """The gate of a wait for a worker's end."""
    return lambda: worker.done


def leave(run: Run, thread: SimThread, executor: Any, *details: Any) -> Script:
    """The end of `with ThreadPoolExecutor() as pool`."""
    yield from shutdown(run, thread, executor)
    return False


def wait_all(
    run: Run, thread: SimThread, futures: Any, timeout: Any = None, return_when: str = "ALL_COMPLETED"
) -> Script:
    """concurrent.futures.wait."""
    futures = set(futures)
    enough = all if return_when == concurrent.futures.ALL_COMPLETED else any
    gate = timed(run, thread, lambda: enough(_ended(f)() for f in futures), timeout)
    keys = tuple((name(run, thread, f), "result") for f in futures)

    def action() -> Any:
        done = {f for f in futures if _ended(f)()}
        return concurrent.futures._base.DoneAndNotDoneFutures(done, futures - done)

    return (yield Op("wait", "futures", action, gate, keys, show=lambda found: f"{len(found.done)} done"))


def as_completed(run: Run, thread: SimThread, futures: Any, timeout: float | None = None) -> Script:
    """concurrent.futures.as_completed: those that have ended, in the order of their ends; then wait for the next."""
    left = list(dict.fromkeys(futures))
    for future in left:
        name(run, thread, future)
    return Sequence(_completed(run, thread, left, timeout), "as_completed")
    yield


def _completed(run: Run, thread: SimThread, left: list[Future], timeout: float | None) -> Script:
    """One future after another."""
    while left:
        gate = timed(run, thread, lambda: any(_ended(f)() for f in left), timeout)
        keys = tuple((run.names[id(f)], "result") for f in left)

        def first() -> Future:
            done = [f for f in left if _ended(f)()]
            if not done:
                raise concurrent.futures.TimeoutError(f"{len(left)} (of {len(left)}) futures unfinished")
            return min(done, key=lambda f: run.ends.get(id(f), 0))

        future = yield Op("wait", "futures", first, gate, keys, show=lambda f: run.names[id(f)])
        left.remove(future)
        yield Emit(future)


MODELS: MappingProxyType[Any, Callable[..., Script]] = MappingProxyType({
    concurrent.futures.as_completed: as_completed,
    ThreadPoolExecutor.submit: submit, ThreadPoolExecutor.shutdown: shutdown, ThreadPoolExecutor.map: map_,
    ThreadPoolExecutor.__exit__: leave, Future.result: _wait_for("result"), Future.exception: _wait_for("exception"),
    Future.done: _ask("done"), Future.running: _ask("running"), Future.cancelled: _ask("cancelled"),
    Future.cancel: _ask("cancel"), Future.add_done_callback: add_done_callback, concurrent.futures.wait: wait_all,
})  # fmt: skip
