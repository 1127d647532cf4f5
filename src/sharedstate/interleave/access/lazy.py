"""Generators under the explorer: each element is asked for, so that others may move in between.

A learner's generator function gives a real generator object (`shell`), so that it is what Python says it is. Followed
code never runs the shell: it carries on the rewritten generator behind it. Library code that takes elements by itself
runs the shell, and everything up to the next element is then one step.
"""

from __future__ import annotations

import contextlib
import itertools
import types
from typing import Any

from sharedstate.interleave.access import places, python_builtins, watched
from sharedstate.interleave.access.followed import comes_from_learner, enters, is_learner, own
from sharedstate.interleave.access.models import Op, Script, asking, calling, play, step
from sharedstate.interleave.access.registry import ATOMIC, defines
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import EMIT, Dropped, Site
from sharedstate.interleave.source.lookup import is_own

# Iterators over what never changes.
STILL = (
    type(iter(range(0))), type(iter(range(2**70))), type(iter("")), type(iter("\x80")), type(iter(())), type(iter(b"")),
)  # fmt: skip
# Iterators written in C that may call a function, or ask another iterator, for each element.
CALLING = frozenset({
    map, filter, zip, enumerate, *(kind for kind in vars(itertools).values() if isinstance(kind, type)),
    type(itertools.groupby(())), type(itertools.tee(())[0]),
}) - {itertools.repeat, itertools.count}  # fmt: skip
LONGEST = 5_000_000  # elements of a range() that a plain loop walks through


class Lazy:
    """A generator: its `frame`, whether it is `active` now, whether it has `ended`, and what it returned."""

    def __init__(self, run: Run, called: str, name: str = "") -> None:
        self.run, self.called, self.name = run, called, name or called.rpartition(".")[2]
        self.frame: Any = None
        self.active = self.ended = self.started = False
        self.result: Any = None
        self.key = 0

    def begin(self) -> None:
        """Go in. Raises ValueError if somebody is inside already, as Python does."""
        if self.active:
            raise ValueError("generator already executing")
        self.active = self.started = True

    def finish(self, value: Any) -> tuple:
        """It has come to its end; there is no further element."""
        self.active, self.ended, self.result = False, True, value
        return ()

    def __del__(self) -> None:
        """The last name is gone: Python closes a generator then, and so its `finally` runs here."""
        run = self.run
        run.lazies.pop(self.key, None)
        if self.started and not self.ended and not self.active and not run.closed:
            with contextlib.suppress(GeneratorExit):
                run.drive(self, None, GeneratorExit())


def shell(lazy: Lazy, frame: Any) -> Any:
    """The generator object for a rewritten one; in a circle, the collector comes to what was made first first."""
    lazy.frame = frame
    made: Any = _shell(lazy)
    made.__name__, made.__qualname__ = lazy.name, lazy.called
    lazy.key = id(made)
    lazy.run.lazies[lazy.key] = lazy
    return made


def _shell(lazy: Lazy) -> Script:
    """What library code runs: everything up to the next element at once."""
    sent, error = None, None
    while True:
        lazy.run.program.block(f"the generator {lazy.called}", "library code takes its elements")
        item = lazy.run.drive(lazy, sent, error)
        if not item:
            return lazy.result
        try:
            sent, error = (yield item[0]), None
        except BaseException as problem:
            sent, error = None, problem


# -- requests ------------------------------------------------------------------------------------------


def iterate(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Start a loop: the answer is an iterator."""
    thing = request[1]
    kind = type(thing)
    if kind in (range, str, bytes, tuple):
        long = kind is range and thing and abs(thing[-1] - thing[0]) // abs(thing.step) > LONGEST
        return itertools.chain(thing) if long else iter(thing)  # a long one is counted, turn by turn
    if kind in STILL:
        return itertools.islice(thing, None)  # others may hold it too: each element is asked for
    if run.lazy_of(thing) is not None:
        return thing
    found = own(run, thing, "__iter__")
    if found is not None:
        return run.call(thread, site, found, (thing,), {}, _checked)
    if not defines(kind, "__iter__") and own(run, thing, "__getitem__") is not None:
        return run.call(thread, site, python_builtins.by_index, (thing,), {})
    if kind not in ATOMIC:
        run.meets(thread, site, thing)
    return iter(thing)


def _checked(iterator: Any) -> Any:
    """What `__iter__` gave must be an iterator."""
    if not hasattr(type(iterator), "__next__"):
        raise TypeError(f"iter() returned non-iterator of type {type(iterator).__name__!r}")
    return iterator


def advance(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """The next element as a tuple of one, or an empty tuple at the end."""
    iterator = request[1]
    behind = run.lazy_of(iterator)
    if behind is not None:
        if id(iterator) in run.names:
            return play(run, thread, site, _shared_step(run, site, iterator, behind))
        return run.advance(thread, behind)
    found = own(run, iterator, "__next__")
    if found is not None:
        return play(run, thread, site, _user_next(run, found, iterator))
    run.turn(thread, site)
    if type(iterator) is map or type(iterator) is filter:
        function, *sources = tuple(iterator.__reduce__()[1])
        if enters(run, function) or any(comes_from_learner(run, source) for source in sources):
            following = _mapped if type(iterator) is map else _filtered
            return play(run, thread, site, following(run, site, function, sources))
    touched = places.whole(run, iterator, True)
    if not touched:
        for source in places.sources(iterator):
            run.meets(thread, site, source)
        touched = places.whole(run, iterator, True)
    if not touched:
        return take(run, thread, iterator)
    target = next(name for (name, _), _ in touched)

    def action() -> tuple:
        item = take(run, thread, iterator)
        if item:
            run.learn_part(item[0], target)
        return item

    op = Op("read", f"{target}.next element", action, touched=touched, show=lambda item: item[0] if item else "(end)")
    return step(run, thread, site, op)


def _mapped(run: Run, site: Site, function: Any, sources: list) -> Script:
    """The next element of a map() that was made elsewhere; all that it holds is in its sources."""
    given = []
    for source in sources:
        element = yield asking(run, site, "next", "", source)
        if not element:
            return ()
        given += element
    return ((yield calling(run, function, tuple(given))),)


def _filtered(run: Run, site: Site, function: Any, sources: list) -> Script:
    """The next element of a filter() that was made elsewhere."""
    while element := (yield asking(run, site, "next", "", sources[0])):
        test = element[0] if function is None else (yield calling(run, function, element))
        if (yield asking(run, site, "truth", "", test)):
            return element
    return ()


def take(run: Run, thread: SimThread, iterator: Any) -> tuple:
    """One element of an ordinary iterator; what it returned at its end is kept for `yield from`."""
    try:
        if type(iterator) in CALLING:
            return (watched.call(run, thread, next, (iterator,), {}, f"{type(iterator).__name__}()"),)
        return (next(iterator),)
    except StopIteration as stop:
        thread.returned = stop.value
        return ()


def _user_next(run: Run, found: Any, iterator: Any) -> Script:
    """A learner's `__next__`."""
    try:
        return ((yield calling(run, found, (iterator,))),)
    except StopIteration as stop:
        run.running.returned = stop.value
        return ()


def _shared_step(run: Run, site: Site, iterator: Any, behind: Lazy, *given: Any) -> Script:
    """Ask a generator that others can reach: going in is a step of its own, and so is coming out."""
    called = run.names.get(id(iterator))
    if called is None:
        return (yield asking(run, site, "resume", "", behind, *given))

    def leave() -> None:
        behind.active = False

    def step_of(what: str, action: Any) -> Op:
        return Op("call", f"{called}.{what}", action, keys=((called, "generator"),))

    yield step_of("next", behind.begin)
    behind.active = False
    try:
        item = yield asking(run, site, "resume", "", behind, *given)
    except Dropped:
        raise
    except BaseException:
        behind.active = True
        yield step_of("end", leave)
        raise
    behind.active = True
    yield step_of("end", leave)
    return item


def resume(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Carry a generator on: request is (site, generator[, value sent[, error thrown]])."""
    return run.advance(thread, *request[1:])


def emit(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """A generator hands out an element: request is (site, element)."""
    thread.emitted = (request[1],)
    thread.effects += 1  # a loop that hands something out does not wait
    return EMIT


def lazily(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """A generator expression: request is (site, its source, its function)."""
    _, source, function = request
    return shell(Lazy(run, f"{site.code.co_qualname}.<locals>.<genexpr>"), function(source))


def each(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """The source of a comprehension that stays in place, or of a generator expression: an iterator."""
    return iterate(run, thread, site, request)


# -- next(), iter() and the methods of generators --------------------------------------------------------


def next_(run: Run, site: Site, iterator: Any, *default: Any) -> Script:
    """next(iterator[, default])."""
    if not hasattr(type(iterator), "__next__"):
        raise TypeError(f"{type(iterator).__name__!r} object is not an iterator")
    item = yield asking(run, site, "next", "", iterator)
    if item:
        return item[0]
    if default:
        return default[0]
    raise StopIteration(_returned(run, iterator))


def _returned(run: Run, iterator: Any) -> Any:
    """What an iterator that has ended gave back."""
    behind = run.lazy_of(iterator)
    if behind is not None:
        value, behind.result = behind.result, None
        return value
    value, run.running.returned = getattr(run.running, "returned", None), None
    return value


def iter_(run: Run, site: Site, args: tuple) -> Script:
    """iter(thing), and iter(function, sentinel)."""
    if len(args) == 2 and is_learner(run, args[0]):
        return (yield calling(run, python_builtins.until, args))
    if len(args) == 2:
        return (yield Op("call", "iter", lambda: iter(*args), at_once=True))
    if type(args[0]) in STILL:
        return args[0]
    return (yield asking(run, site, "iter", "", args[0]))


def method(run: Run, thread: SimThread, site: Site, function: Any, receiver: Any, args: tuple) -> Script | None:
    """send(), throw(), close() and __next__() of a generator that is followed; None for anything else."""
    behind = run.lazy_of(receiver) if type(receiver) is types.GeneratorType else None
    if behind is None:
        return None
    name = function.__name__
    if name in ("send", "__next__"):
        return _send(run, site, receiver, behind, args[0] if args else None)
    if name == "throw":
        return _throw(run, site, receiver, behind, args)
    return _close(run, site, receiver, behind) if name == "close" else None


def _send(run: Run, site: Site, generator: Any, behind: Lazy, value: Any) -> Script:
    """generator.send(value)."""
    if value is not None and not behind.started and not behind.ended:
        raise TypeError("can't send non-None value to a just-started generator")
    item = yield from _shared_step(run, site, generator, behind, value)
    if item:
        return item[0]
    raise StopIteration(_returned(run, generator))


def _throw(run: Run, site: Site, generator: Any, behind: Lazy, args: tuple) -> Script:
    """generator.throw(error)."""
    error = args[0]
    if isinstance(error, type) and issubclass(error, BaseException):
        value = args[1] if len(args) > 1 else None
        if not isinstance(value, error):
            kind, given = error, () if value is None else value if isinstance(value, tuple) else (value,)
            error = yield calling(run, kind, given)
            if not isinstance(error, BaseException):
                wrong = type(error).__name__
                raise TypeError(f"calling {kind!r} should have returned an instance of BaseException, not {wrong}")
        else:
            error = value
    if not isinstance(error, BaseException):
        wrong = type(error).__name__
        raise TypeError(f"exceptions must be classes or instances deriving from BaseException, not {wrong}")
    if len(args) > 2 and args[2] is not None:
        error = error.with_traceback(args[2])
    item = yield from _shared_step(run, site, generator, behind, None, error)
    if item:
        return item[0]
    raise StopIteration(_returned(run, generator))


def _close(run: Run, site: Site, generator: Any, behind: Lazy) -> Script:
    """generator.close()."""
    if behind.ended or not behind.started:
        behind.finish(None)
        behind.frame.close()
        return None
    try:
        item = yield from _shared_step(run, site, generator, behind, None, GeneratorExit())
    except (GeneratorExit, StopIteration):
        return None
    if item:
        raise RuntimeError("generator ignored GeneratorExit")
    return None


# -- `yield from` ----------------------------------------------------------------------------------------


def send_inner(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """What is sent to the outer generator goes to the inner one: request is (site, source, value)."""
    _, source, value = request
    if value is None:
        return advance(run, thread, site, request)
    return play(run, thread, site, _pass_on(run, site, source, "send", value))


def throw_inner(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """What is thrown into the outer generator goes to the inner one: request is (site, source, error)."""
    _, source, error = request
    return play(run, thread, site, _pass_on(run, site, source, "throw", error))


def _pass_on(run: Run, site: Site, source: Any, name: str, value: Any) -> Script:
    """Call send() or throw() of the source; the answer is as of `next`."""
    if name == "throw" and not hasattr(source, "throw"):
        raise value
    try:
        return ((yield asking(run, site, "method", name, source, (value,))),)
    except StopIteration as stop:
        if stop is value:
            raise
        behind = run.lazy_of(source)
        if behind is not None:
            behind.result = stop.value
        run.running.returned = stop.value
        return ()


def close_inner(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """The outer generator is closed: so is the inner one, if it can be."""
    source = request[1]
    if not hasattr(source, "close"):
        return None
    place = run.program.derived(site, "method", "close")
    return place.handle(run, thread, place, (place.index, source, ()))


def outcome(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """What `yield from` gives: the value that the source returned."""
    return _returned(run, request[1])


def plain(error: BaseException, run: Run, end: Any = None) -> BaseException:
    """An exception as the learner's code would see it: without the explorer's frames at its top.

    A rewritten function is a generator, and so Python makes a RuntimeError of a StopIteration that it raises: that is
    undone, but not where the code that has ended (`end` is what is called then) was a generator from the start.
    """
    trace = error.__traceback__
    while trace is not None and is_own(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    error.__traceback__ = trace
    if trace is None and type(error) is RuntimeError and isinstance(error.__cause__, StopIteration):
        lazy = getattr(end, "__self__", None)
        if type(lazy) is Lazy and not is_own(lazy.frame.gi_code.co_filename):
            run.kept = error
        elif run.kept is not error:
            return plain(error.__cause__, run)
    return error
