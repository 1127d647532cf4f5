"""Generators of the learner's: made, taken over, and carried on from element to element."""

from __future__ import annotations

import gc
import inspect
import types
from typing import Any

from sharedstate.interleave.access.lazy import Lazy, plain, shell
from sharedstate.interleave.runs.base import BaseRun
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import OWN, PUSH, NotModelled


class LazyRun(BaseRun):
    """A run that knows the learner's generators."""

    def _resume(self, thread: SimThread, value: Any, error: BaseException | None) -> Any:
        """Send a value (or an exception) into a thread and answer its requests up to its next step."""
        raise TypeError("LazyRun is used through GeneratorRun")

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
        variable = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + variable]
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
        if code.co_flags & inspect.CO_VARARGS:
            positional += local[rest.pop(0)]
        if code.co_flags & inspect.CO_VARKEYWORDS:
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
                thread.answer, thread.done, thread.raised, thread.call, thread.kind, thread.target,
                thread.lock)  # fmt: skip
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
            thread.driven, self.record, thread.awaiting = driven, record, None
            (thread.stack, thread.generator, thread.site, thread.request, thread.perform, thread.gate,
             thread.answer, thread.done, thread.raised, thread.call, thread.kind, thread.target,
             thread.lock) = kept  # fmt: skip
        if not ended:
            lazy.active = False
            return item
        lazy.finish(None if failed else answer)
        if failed:
            raise answer
        return ()


def _cells(generator: Any, code: types.CodeType) -> tuple | None:
    """The captured variables of a generator that has not begun."""
    if not code.co_freevars:
        return None
    cells = [thing for thing in gc.get_referents(generator) if type(thing) is types.CellType]
    return tuple(cells[-len(code.co_freevars) :])
