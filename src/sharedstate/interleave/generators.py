"""The search back end: every thread is a stack of generators, and no OS thread is started."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from sharedstate.interleave.blocking import NotModelled
from sharedstate.interleave.calls import DEPTH_LIMIT
from sharedstate.interleave.lazy import Lazy, plain
from sharedstate.interleave.models import requests
from sharedstate.interleave.run import NOTHING, Run, SimThread
from sharedstate.interleave.sites import EMIT, PUSH, READY, STEP, Unsupported


class GeneratorRun(Run):
    """A run on generators: dropped at any time without running a line of the learner's code."""

    real = False

    def start(self, bodies: list[Any]) -> None:
        """Bring every thread to its first step."""
        for thread, body in zip(self.threads[: self.roots], bodies, strict=True):
            self.begin(thread, body, (self.state,))

    def begin(self, thread: SimThread, body: Any, arguments: tuple) -> None:
        """Bring a thread to its first step."""
        thread.generator = _begin(self, thread, body, arguments)
        self._resume(thread, None, None)

    def carry_on(self, thread: SimThread) -> None:
        """Do the thread's next step and run it to the one after."""
        perform = thread.perform
        if perform is None:
            return self._resume(thread, None, None)
        try:
            value = perform(self, thread, thread.site, thread.request)
        except NotModelled:
            raise
        except Exception as error:
            return self._resume(thread, None, error)
        return self._resume(thread, value, None)

    def _resume(self, thread: SimThread, value: Any, error: BaseException | None) -> None:
        """Send a value (or an exception) into a thread and answer its requests up to its next step."""
        sites, generator = self.sites, thread.generator
        while True:
            try:
                request = generator.send(value) if error is None else generator.throw(error)
                site = sites[request[0]]
                value, error = site.handle(self, thread, site, request), None
                if value is PUSH:
                    generator = self._enter(thread)
                    value, error, thread.sent, thread.thrown = thread.sent, thread.thrown, None, None
                elif value is EMIT:
                    generator, value = self._emit(thread), thread.emitted
            except StopIteration as stop:
                if generator.gi_frame is not None:
                    value, error = None, stop
                elif thread.stack:
                    generator, value, error = self._return(thread, stop.value)
                else:
                    return thread.finish(stop.value)
            except (KeyboardInterrupt, Unsupported, NotModelled):
                raise
            except BaseException as problem:
                error = plain(problem)
                if generator.gi_frame is None:
                    if not thread.stack:
                        return thread.finish(error)
                    generator = self._fail(thread)
            if value is STEP:
                thread.site, thread.request, thread.perform, thread.gate = site, request, site.perform, None
                return None
            if value is READY:
                return None

    def _enter(self, thread: SimThread) -> Any:
        """Start the generator of a call, on top of the caller's."""
        if len(thread.call) <= 2:
            callee, post = thread.call if len(thread.call) == 2 else (thread.call[0], None)
        else:
            callee, post = self._twin_of(thread)
        thread.stack.append((thread.generator, post))
        thread.generator = callee
        return callee

    def generator(self, thread: SimThread, function: Any, twin: Any, args: tuple, keywords: dict) -> Lazy:
        """What a call of a learner's generator function gives."""
        made = self.program.build(function, twin, None)(*args, **keywords)
        self.frames.append(made)
        return Lazy(made, function.__qualname__)

    def advance(self, thread: SimThread, lazy: Lazy, sent: Any = None, error: Any = None) -> Any:
        """Carry a generator on to its next element."""
        lazy.begin()
        if lazy.ended:
            return lazy.finish(lazy.result)
        thread.call, thread.sent, thread.thrown = (lazy.frame, lazy.finish), sent, error
        return PUSH

    def _emit(self, thread: SimThread) -> Any:
        """A generator has an element: back to the one who asked for it."""
        thread.generator, finish = thread.stack.pop()
        finish.__self__.active = False
        return thread.generator

    def _fail(self, thread: SimThread) -> Any:
        """A call has raised: back to its caller."""
        thread.generator, post = thread.stack.pop()
        if type(getattr(post, "__self__", None)) is Lazy:
            post.__self__.finish(None)
        return thread.generator

    def _twin_of(self, thread: SimThread) -> tuple[Any, Any]:
        """The generator that runs a learner's function."""
        function, twin, arguments, keywords, post = thread.call
        if len(thread.stack) > DEPTH_LIMIT:
            raise RecursionError(f"{function.__qualname__}: more than {DEPTH_LIMIT} calls inside one another")
        return self.program.build(function, twin, None)(*arguments, **keywords), post

    def _return(self, thread: SimThread, value: Any) -> tuple[Any, Any, BaseException | None]:
        """Hand the value of a call to its caller."""
        thread.generator, post = thread.stack.pop()
        if post is None:
            return thread.generator, value, None
        try:
            return thread.generator, post(value), None
        except Exception as error:
            return thread.generator, None, error

    def locals_of(self, thread: SimThread) -> list[Any]:
        """The values of the thread's local variables now."""
        frame = getattr(thread.generator, "gi_frame", None)
        return [len(thread.stack), *frame.f_locals.values()] if frame is not None else []

    def cell_value(self, thread: SimThread, name: str) -> Any:
        """The value of a captured variable now."""
        frame = getattr(thread.generator, "gi_frame", None)
        return frame.f_locals.get(name, NOTHING) if frame is not None else NOTHING

    def close(self) -> None:
        """Drop the generators; the guards in the rewritten code let them end without running on."""
        super().close()
        for thread in self.threads:
            if thread.generator is None and not thread.stack:
                continue
            frames = [generator for generator, _ in thread.stack]
            for generator in ([thread.generator] if thread.generator is not None else []) + frames[::-1]:
                with contextlib.suppress(RuntimeError):
                    generator.close()
            thread.stack.clear()
            thread.generator = None
        for frame in self.frames:
            with contextlib.suppress(RuntimeError, ValueError):
                frame.close()
        self.frames.clear()


def _begin(run: Run, thread: SimThread, body: Any, arguments: tuple) -> Iterator[Any]:
    """The bottom of a thread's stack: call the body; a script is followed."""
    if thread.script is not None:
        return (yield from requests(run.program, thread.origin, thread.script(thread)))
    return (yield (run.program.begin, body, arguments))
