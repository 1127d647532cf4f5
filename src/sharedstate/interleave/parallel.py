"""One exploration on several cores or machines: cut into parts, given to an executor, put together again.

The cut depends on the program alone, never on the number of workers, so the result does not depend on it
either. A part travels as bytes, with the source of the cells it needs, so any `concurrent.futures.Executor`
will do: threads, processes, or one that hands its jobs to other machines.
"""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import io
import linecache
import marshal
import multiprocessing
import pickle
import threading
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sharedstate.interleave.access.values import LOCK, RLOCK
from sharedstate.interleave.cleanup import quiet
from sharedstate.interleave.engine import Engine
from sharedstate.interleave.execution import ScenarioError
from sharedstate.interleave.findings import Budget, Findings
from sharedstate.interleave.search.all import All, Stack
from sharedstate.interleave.search.dpor import Dpor, Irreducible, Node, beginnings
from sharedstate.interleave.search.driver import Restart, Search
from sharedstate.interleave.search.pct import Pct
from sharedstate.interleave.search.random import Random

PARTS = 24
DEPTH = 4


@dataclass(frozen=True)
class Part:
    """A piece of a search: where it begins. Only the fields of its strategy are used."""

    strategy: str
    stack: Stack = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    seed: str = ""
    bound: int | None = None
    depth: int = 0


def explore(engine: Engine, plan: Any, search: Search, executor: concurrent.futures.Executor) -> Findings | None:
    """Search as the plan says, in parts; None if the code shares globals, which no worker can know of."""
    found, parts = cut(plan, search)
    if engine.program.written:
        return None
    budget = Budget(plan.executions, plan.seconds, plan.first)
    jobs = [executor.submit(work, pack(engine, part, budget)) for part in parts]
    try:
        pieces = [pickle.loads(job.result()) for job in jobs]
    except concurrent.futures.BrokenExecutor as error:
        raise ScenarioError(
            'the worker processes ended at once; in a script, put the exploration below `if __name__ == "__main__":`'
        ) from error
    finally:
        for job in jobs:
            job.cancel()
    if None in pieces:
        return None
    for piece in pieces:
        found.merge(piece)
    if found.executions > plan.executions and not found.stopped:
        found.complete, found.stopped = False, f"ran out after {found.executions} executions"
    return found


def cut(plan: Any, search: Search) -> tuple[Findings, list[Part]]:
    """What was found while cutting, and the parts that are left."""
    if plan.reduces and search.questions.always is None:
        nodes = beginnings(search.found, search.start, PARTS, DEPTH)
        search.found.complete = search.found.reduced = True
        return search.found, [Part("dpor", nodes=part) for part in nodes]
    if plan.strategy in ("random", "pct"):
        return search.found, [Part(plan.strategy, seed=f"{plan.seed}.{i}", depth=plan.depth) for i in range(PARTS)]
    stack: Stack = [(b"", -1)]
    strategy = All(search.found, stack, PARTS, plan.bound)
    found = search.explore(strategy)
    found.complete = not strategy.left_out
    # A place in the source has another number in another process, so only the moves travel.
    return found, [Part("all", stack=[(prefix, -1)], bound=plan.bound) for prefix, _ in stack]


# -- a part on its way ----------------------------------------------------------------------------------


def pack(engine: Engine, part: Part, budget: Budget) -> bytes:
    """Everything that a worker needs, as bytes. Raises ScenarioError if the code cannot travel."""
    cells = {name: entry for name, entry in linecache.cache.items() if len(entry) > 1 and entry[1] is None}
    options = (engine.order, engine.cancel)
    job = (engine.setup, engine.bodies, engine.questions, options, cells, part, budget)
    try:
        return dumps(job)
    except Exception as error:
        raise ScenarioError(f"the scenario cannot be sent to a worker: {type(error).__name__}: {error}") from error


def dumps(thing: object) -> bytes:
    """Bytes of anything; with cloudpickle, where it is installed, also of a notebook's functions and classes.

    Code keeps the name of its cell, by which its source is found; so both sides need the same Python version.
    """
    try:
        import cloudpickle
    except ImportError:
        return pickle.dumps(thing)

    class Pickler(cloudpickle.Pickler):
        dispatch_table: ClassVar = collections.ChainMap(dict(TRAVELS), cloudpickle.Pickler.dispatch_table)

    with io.BytesIO() as stream:
        Pickler(stream).dump(thing)
        return stream.getvalue()


def _code(code: types.CodeType) -> tuple:
    """Code as it is: cloudpickle would forget the name of its cell."""
    return marshal.loads, (marshal.dumps(code),)


TRAVELS = (
    (types.CodeType, _code),
    (LOCK, lambda lock: (threading.Lock, ())),  # a global lock is free between two schedules
    (RLOCK, lambda lock: (threading.RLock, ())),
)


def work(payload: bytes) -> bytes:
    """A worker's side: search one part, return what was found; None if only the whole can be searched."""
    setup, bodies, questions, options, cells, part, budget = pickle.loads(payload)
    linecache.cache.update(cells)
    engine = Engine(setup, bodies, questions)
    engine.order, engine.cancel = options
    return dumps(engine.settle(lambda: _search(engine, part, budget)))


def _search(engine: Engine, part: Part, budget: Budget) -> Findings | None:
    """Search a part on a fresh engine."""
    search = Search(engine.make, engine.questions, budget, 0)
    try:
        with engine.threads(), quiet():
            return _run(search, part)
    except (Restart, Irreducible):
        return None
    finally:
        search.close()


def _run(search: Search, part: Part) -> Findings:
    """Search by the part's strategy."""
    if part.strategy == "dpor":
        return search.explore(Dpor(search.found, part.nodes))
    if part.strategy == "all":
        return search.explore(All(search.found, list(part.stack), bound=part.bound))
    return search.explore(Random(part.seed) if part.strategy == "random" else Pct(part.seed, part.depth))


@contextlib.contextmanager
def pool(workers: int) -> Iterator[concurrent.futures.Executor]:
    """A process pool of fresh processes; they are gone when the block ends, however it ends."""
    context = multiprocessing.get_context("spawn")
    executor = concurrent.futures.ProcessPoolExecutor(workers, mp_context=context)
    try:
        yield executor
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
