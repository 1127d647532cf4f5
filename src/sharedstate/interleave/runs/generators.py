"""The search back end: every thread is a stack of generators, and no OS thread is started."""

from __future__ import annotations

import contextlib
import inspect
import types
from collections.abc import Iterator
from typing import Any

from sharedstate.interleave.access.handled import inner, thrown, under
from sharedstate.interleave.access.lazy import Lazy, plain, shell
from sharedstate.interleave.access.models import requests
from sharedstate.interleave.run import NOTHING, Run, SimThread
from sharedstate.interleave.sites import (
    EMIT,
    PUSH,
    READY,
    STEP,
    Dropped,
    Interrupted,
    NotModelled,
    OutOfSteps,
    Unsupported,
)  # fmt: skip
from sharedstate.interleave.source import is_own

DEPTH_LIMIT = 900
OWN = (Unsupported, NotModelled, OutOfSteps, Interrupted)


class GeneratorRun(Run):
    """A run on generators: dropped at any time without running a line of the learner's code."""

    real = False

    def start(self, bodies: list[Any]) -> None:
        """Make every thread; none has run yet."""
        for thread, body in zip(self.threads[: self.roots], bodies, strict=True):
            self.begin(thread, body, (self.state,))

    def begin(self, thread: SimThread, body: Any, arguments: tuple) -> None:
        """Make a thread, at its first step."""
        thread.generator = _begin(self, thread, body, arguments)
        self._resume(thread, None, None)

    def carry_on(self, thread: SimThread) -> None:
        """Do the thread's next step and run it to the one after."""
        self.running = thread
        perform = thread.perform
        if perform is None:
            return self._resume(thread, None, None)
        try:
            value = perform(self, thread, thread.site, thread.request)
        except (*OWN, KeyboardInterrupt):
            raise
        except BaseException as error:
            return self._resume(thread, *thrown(thread.generator, plain(error, self)))
        return self._resume(thread, value, None)

    def _resume(self, thread: SimThread, value: Any, error: BaseException | None) -> Any:
        """Send a value (or an exception) into a thread and answer its requests up to its next step."""
        sites, generator = self.sites, thread.generator
        self.running = thread
        while True:
            try:
                request = generator.send(value) if error is None else generator.throw(error)
                site = sites[request[0]]
                value, error = site.handle(self, thread, site, request), None
                asked, request = request, None  # nothing of the learner's is kept alive here
                if value is PUSH:
                    asked = None
                    generator = self._enter(thread)
                    value, error, thread.sent, thread.thrown = thread.sent, thread.thrown, None, None
                elif value is EMIT:
                    if not thread.stack:  # a generator that is carried on by itself
                        return thread.emitted
                    generator, value = self._emit(thread), thread.emitted
            except StopIteration as stop:
                if generator.gi_frame is not None:
                    value, error = None, stop
                elif thread.stack:
                    generator, value, error = self._return(thread, stop.value)
                else:
                    return thread.finish(stop.value)
            except OWN:
                raise
            except BaseException as problem:
                error = plain(problem, self, thread.stack[-1][1] if thread.stack else thread.driven)
                ended = generator
                if generator.gi_frame is None:
                    if not thread.stack:
                        return thread.finish(error, True)
                    generator = self._fail(thread)
                value, error = thrown(generator, error, ended)
            if value is STEP:
                thread.site, thread.request, thread.perform, thread.gate = site, asked, site.perform, None
                return None
            if value is READY:
                return None

    def _enter(self, thread: SimThread) -> Any:
        """Start the generator of a call, on top of the caller's."""
        if len(thread.call) <= 2:
            callee, post = thread.call if len(thread.call) == 2 else (thread.call[0], None)
        else:
            callee, post = self._twin_of(thread)
        thread.call = ()
        if thread.handled is not None and type(getattr(post, "__self__", None)) is not Lazy:
            callee = under(thread.handled, callee)
        thread.stack.append((thread.generator, post))
        thread.generator = callee
        return callee

    def _twin_of(self, thread: SimThread) -> tuple[Any, Any]:
        """The generator that runs a learner's function."""
        function, twin, arguments, keywords, post = thread.call
        if len(thread.stack) > (self.recursion or DEPTH_LIMIT):
            raise RecursionError("maximum recursion depth exceeded")
        return self.program.build(function, twin, None)(*arguments, **keywords), post

    def _return(self, thread: SimThread, value: Any) -> tuple[Any, Any, BaseException | None]:
        """Hand the value of a call to its caller."""
        thread.generator, post = thread.stack.pop()
        if post is None:
            return thread.generator, value, None
        try:
            return thread.generator, post(value), None
        except Exception as error:
            return thread.generator, None, plain(error, self)

    def _fail(self, thread: SimThread) -> Any:
        """A call has raised: back to its caller."""
        thread.generator, post = thread.stack.pop()
        if type(getattr(post, "__self__", None)) is Lazy:
            post.__self__.finish(None)
        return thread.generator

    # -- generators of the learner's --------------------------------------------------------------------

    def generator(self, thread: SimThread, function: Any, twin: Any, args: tuple, keywords: dict) -> Any:
        """What a call of a learner's generator function gives."""
        lazy = Lazy(self, function.__qualname__, function.__name__)
        return shell(lazy, self.program.build(function, twin, None)(*args, **keywords))

    def sequence(self, script: Any, called: str) -> Any:
        """A sequence that one of the explorer's scripts works out."""
        return shell(Lazy(self, called), script)

    def adopt(self, generator: Any) -> Lazy | None:
        """Take over a generator that setup has made, if nobody has begun it; one that was begun is one step."""
        code = generator.gi_code
        if not self.program.follows(code) or generator.gi_frame is None:
            return None
        if inspect.getgeneratorstate(generator) != inspect.GEN_CREATED:
            self.program.block(generator.__qualname__, "the generator was begun before the threads were")
            return None
        frame = generator.gi_frame
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)]
        if code.co_cellvars and set(code.co_cellvars) & set(names):
            return None
        function = types.FunctionType(code, frame.f_globals, code.co_name, None, _cells(generator, code))
        twin = self.program.twin(function)
        if twin is None:
            return None
        local = frame.f_locals
        count = code.co_argcount
        positional = [local[n] for n in names[:count]]
        keyword = {n: local[n] for n in names[count : count + code.co_kwonlyargcount]}
        rest = list(names[count + code.co_kwonlyargcount :])
        if code.co_flags & 4:
            positional += local[rest.pop(0)]
        if code.co_flags & 8:
            keyword |= local[rest.pop(0)]
        made = Lazy(self, generator.__qualname__, generator.__name__)
        made.frame = self.program.build(function, twin, None)(*positional, **keyword)
        self.adopted[id(generator)] = (generator, made)
        for value in local.values():
            if id(generator) in self.names:
                self.registry.add(value, f"{generator.__name__}'s variable")
        return made

    def advance(self, thread: SimThread, lazy: Lazy, sent: Any = None, error: Any = None) -> Any:
        """Carry a generator on to its next element."""
        if lazy.ended:
            if error is not None:
                raise error
            return ()
        if error is not None and not lazy.started:
            lazy.finish(None)
            lazy.frame.close()
            raise error
        lazy.begin()
        thread.call, thread.sent, thread.thrown = (lazy.frame, lazy.finish), sent, error
        return PUSH

    def _emit(self, thread: SimThread) -> Any:
        """A generator has an element: back to the one who asked for it."""
        thread.generator, finish = thread.stack.pop()
        finish.__self__.active = False
        return thread.generator

    def drive(self, lazy: Lazy, sent: Any, error: BaseException | None) -> tuple:
        """Carry a generator on at once, for library code: nobody else moves in between."""
        thread = self.running
        if lazy.ended or (error is not None and not lazy.started):
            lazy.finish(None)
            if error is not None:
                raise error
            return ()
        lazy.begin()
        kept = (thread.stack, thread.generator, thread.site, thread.request, thread.perform, thread.gate,
                thread.answer, thread.done, thread.raised, thread.call, thread.kind, thread.target, thread.lock)  # fmt: skip
        driven, thread.driven = thread.driven, lazy.finish
        record, self.record = self.record, False  # it belongs to the step that is being taken
        thread.stack, thread.generator, thread.answer, thread.done = [], lazy.frame, None, False
        try:
            item = self._resume(thread, sent, error)
            while item is None and not thread.done:
                if thread.gate is not None and not thread.gate():
                    raise NotModelled(f"the generator {lazy.called}, run by library code, waits for {thread.target}")
                try:
                    value, problem = thread.perform(self, thread, thread.site, thread.request), None
                except OWN:
                    raise
                except BaseException as error_:
                    value, problem = None, plain(error_, self)
                item = self._resume(thread, value, problem)
            answer, ended, failed = thread.answer, thread.done, thread.raised
        finally:
            thread.driven, self.record = driven, record
            (thread.stack, thread.generator, thread.site, thread.request, thread.perform, thread.gate,
             thread.answer, thread.done, thread.raised, thread.call, thread.kind, thread.target, thread.lock) = kept  # fmt: skip
        if not ended:
            lazy.active = False
            return item
        lazy.finish(None if failed else answer)
        if failed:
            raise answer
        return ()

    # -- what a learner's code is just now ----------------------------------------------------------------

    def frame_of(self, thread: SimThread, depth: int = 0) -> Any:
        """The frame of the learner's code that makes the request, or of its callers; None if there is none."""
        for generator in [thread.generator, *(pair[0] for pair in reversed(thread.stack))]:
            frame = getattr(inner(generator), "gi_frame", None)
            if frame is not None and is_own(frame.f_code.co_filename):
                continue
            if frame is not None and self.program.follows(frame.f_code):
                if not depth:
                    return frame
                depth -= 1
        return None

    def runs_in(self, frame: Any) -> bool:
        """True for the frame of code that a thread is in: to Python it is a generator that could be closed."""
        running = (generator for t in self.threads for generator in (t.generator, *(pair[0] for pair in t.stack)))
        return any(getattr(inner(generator), "gi_frame", None) is frame for generator in running)

    def locals_of(self, thread: SimThread) -> list[Any]:
        """The values of the thread's local variables now."""
        frame = getattr(inner(thread.generator), "gi_frame", None)
        if frame is None:
            return []
        return [len(thread.stack), *(v for name, v in frame.f_locals.items() if not name.startswith("ss_"))]

    def cell_value(self, thread: SimThread, name: str) -> Any:
        """The value of a captured variable now."""
        frame = getattr(inner(thread.generator), "gi_frame", None)
        return frame.f_locals.get(name, NOTHING) if frame is not None else NOTHING

    def close(self) -> None:
        """Drop the generators; the guards in the rewritten code let them end without running on."""
        super().close()
        for thread in self.threads:
            frames = [generator for generator, _ in thread.stack]
            for generator in ([thread.generator] if thread.generator is not None else []) + frames[::-1]:
                _drop(generator)
            thread.stack.clear()
            thread.generator = None
        for lazy in [*self.lazies.values(), *(pair[1] for pair in self.adopted.values())]:
            _drop(lazy.frame)


def _drop(generator: Any) -> None:
    """End a suspended generator without running on."""
    if generator.gi_frame is None:
        return
    if inspect.getgeneratorstate(generator) == inspect.GEN_CREATED:
        generator.close()
        return
    with contextlib.suppress(BaseException):
        generator.throw(Dropped())


def _cells(generator: Any, code: types.CodeType) -> tuple | None:
    """The captured variables of a generator that has not begun."""
    import gc

    if not code.co_freevars:
        return None
    cells = [thing for thing in gc.get_referents(generator) if type(thing) is types.CellType]
    return tuple(cells[-len(code.co_freevars) :])


def _begin(run: Run, thread: SimThread, body: Any, arguments: tuple) -> Iterator[Any]:
    """The bottom of a thread's stack: call the body; a script is followed."""
    if thread.script is not None:
        return (yield from requests(run, thread.origin, thread.script(thread)))
    return (yield (run.program.begin, body, arguments))
