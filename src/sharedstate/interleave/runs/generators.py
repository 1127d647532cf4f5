"""The search back end: every thread is a stack of generators, and no OS thread is started."""

from __future__ import annotations

import contextlib
import inspect
import types
from collections.abc import Iterator
from typing import Any

from sharedstate.interleave.access.handled import inner, thrown, under
from sharedstate.interleave.access.lazy import Lazy, plain
from sharedstate.interleave.access.models import requests
from sharedstate.interleave.access.spinning import arm
from sharedstate.interleave.runs.base import NOTHING
from sharedstate.interleave.runs.lazies import LazyRun
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import (
    EMIT,
    GETTER,
    METHOD,
    OWN,
    PUSH,
    READY,
    SETTER,
    STEP,
    Dropped,
)  # fmt: skip
from sharedstate.interleave.source.lookup import is_own

NO_REQUEST: tuple = ()
DEPTH_LIMIT = 900


class GeneratorRun(LazyRun):
    """A run on generators: dropped at any time without running a line of the learner's code."""

    real = False

    def start(self, bodies: list[Any]) -> None:
        """Make every thread; none has run yet."""
        for thread, body in zip(self.threads[: self.roots], bodies, strict=True):
            self.begin(thread, body, (self.state,))

    def begin(self, thread: SimThread, body: Any, arguments: tuple) -> None:
        """Make a thread, at its first step."""
        made = None
        if type(body) is types.FunctionType and not self.record and thread.script is None and len(arguments) == 1:
            made = self.program.body(body)
        if made is None:
            thread.generator = _begin(self, thread, body, arguments)
        else:
            if body not in self.program.free:
                self.enter(body, made[0])
            thread.generator = made[1](*arguments)
        self.running = thread
        self.on(thread)
        if thread.awaiting:
            arm(self, thread)

    def carry_on(self, thread: SimThread) -> None:
        """Do the thread's next step and run it to the one after."""
        self.go(thread)
        if thread.awaiting:
            arm(self, thread)

    def _resume(self, thread: SimThread, value: Any, error: BaseException | None) -> Any:
        """Send a value (or an exception) into a thread and answer its requests up to its next step."""
        self.running = thread
        return GeneratorRun.on(self, thread, value, error)

    def go(self, thread: SimThread) -> None:
        """Do what the thread waits to do, and go on to its next step."""
        self.running = thread
        value, error = None, None
        if thread.perform is not None:
            try:
                value = thread.perform(self, thread, thread.site, thread.request)
            except (*OWN, KeyboardInterrupt):
                raise
            except BaseException as raised:
                value, error = thrown(thread.generator, plain(raised, self))
        self.on(thread, value, error)

    def on(
        self, thread: SimThread, value: Any = None, error: BaseException | None = None,
        request: Any = None, problem: BaseException | None = None,
    ) -> Any:
        """Give a thread the result of its step and answer its requests up to its next step.

        The thread may have been given it already: then `request` is what it asks for, or `problem` what it raised.
        """
        sites, names, short, generator = self.sites, self.names, not self.record, thread.generator
        thread.request, thread.perform = NO_REQUEST, None
        while True:
            try:
                if request is None:
                    if problem is not None:
                        raise problem
                    request = generator.send(value) if error is None else generator.throw(error)
                site = sites[request[0]]
                if type(request[site.operand]) is site.plain and short:
                    if site.act is not None:
                        if id(request[site.operand]) in names:
                            thread.site, thread.request, thread.perform, thread.gate = site, request, site.act, None
                            return None
                    elif (made := self._shortcut(thread, site, request)) is not None:
                        thread.stack.append((generator, None))
                        thread.generator = generator = made
                        value = error = request = made = None
                        continue
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
                request = None
                if generator.gi_frame is not None:
                    value, error = None, stop
                elif thread.stack:
                    generator, value, error = self._return(thread, stop.value)
                else:
                    return thread.finish(stop.value)
            except OWN:
                raise
            except BaseException as raised:
                request = problem = None
                error = plain(raised, self, thread.stack[-1][1] if thread.stack else thread.driven)
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

    def _shortcut(self, thread: SimThread, site: Any, request: tuple) -> Any:
        """The generator of a call of a learner's function that was called from here before; None for any other."""
        function, thing, quick = site.function, request[site.operand], site.quick
        if quick == METHOD:
            bound = getattr(thing, site.name)
            if type(bound) is not types.MethodType or bound.__func__ is not function or bound.__self__ is not thing:
                return None
        elif quick >= GETTER:
            found = getattr(type(thing), site.name, None)
            if type(found) is not property or (found.fget if quick == GETTER else found.fset) is not function:
                return None
        elif thing is not function:
            return None
        if len(request) > 3 and quick != SETTER:
            return None
        if thread.handled is not None or len(thread.stack) >= (self.recursion or DEPTH_LIMIT):
            return None
        if function.__defaults__ is not site.made.__defaults__:
            return None
        if not site.free and function not in self.entered:
            self.enter(function, site.twin)
        if quick >= GETTER:
            return site.made(thing) if quick == GETTER else site.made(thing, request[1])
        return site.made(thing, *request[2]) if quick == METHOD else site.made(*request[2])

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
            if thread.done and not thread.stack:
                continue
            frames = [generator for generator, _ in thread.stack]
            for generator in ([thread.generator] if thread.generator is not None else []) + frames[::-1]:
                _drop(generator)
            thread.stack.clear()
            thread.generator = None
        if "lazies" in self.__dict__ or "adopted" in self.__dict__:
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


def _begin(run: Any, thread: SimThread, body: Any, arguments: tuple) -> Iterator[Any]:
    """The bottom of a thread's stack: call the body; a script is followed."""
    if thread.script is not None:
        return (yield from requests(run, thread.origin, thread.script(thread)))
    return (yield (run.program.begin, body, arguments))
