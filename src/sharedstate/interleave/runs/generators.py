"""The search back end: every thread is a stack of generators, and no OS thread is started."""

from __future__ import annotations

import contextlib
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any

from sharedstate.interleave.access.handled import inner, thrown, under
from sharedstate.interleave.access.lazy import Lazy, plain, shell
from sharedstate.interleave.access.models import requests
from sharedstate.interleave.access.places import ORDER, READ, WRITE
from sharedstate.interleave.access.registry import ATOMIC, FIELDS
from sharedstate.interleave.access.values import short as described
from sharedstate.interleave.run import NOTHING, Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import (
    EMIT,
    GETTER,
    METHOD,
    PUSH,
    READ_FIELD,
    READ_ITEM,
    READY,
    SETTER,
    STEP,
    WRITE_FIELD,
    Dropped,
    Interrupted,
    NotModelled,
    OutOfSteps,
    Unsupported,
)  # fmt: skip
from sharedstate.interleave.source import is_own

DEPTH_LIMIT = 900
NO_REQUEST: tuple = ()
OWN = (Unsupported, NotModelled, OutOfSteps, Interrupted)


class GeneratorRun(Run):
    """A run on generators: dropped at any time without running a line of the learner's code."""

    real = False
    fast = True

    def start(self, bodies: list[Any]) -> None:
        """Make every thread; none has run yet."""
        for thread, body in zip(self.threads[: self.roots], bodies, strict=True):
            self.begin(thread, body, (self.state,))

    def begin(self, thread: SimThread, body: Any, arguments: tuple) -> None:
        """Make a thread, at its first step."""
        twin = self.program.free.get(body) if type(body) is types.FunctionType and not self.record else None
        if twin is not None and thread.script is None and twin.__code__.co_argcount == len(arguments):
            thread.generator = twin(*arguments)
        else:
            thread.generator = _begin(self, thread, body, arguments)
        self._resume(thread, None, None)

    def carry_on(self, thread: SimThread) -> None:
        """Do the thread's next step and run it to the one after."""
        self.go(thread)

    def _resume(self, thread: SimThread, value: Any, error: BaseException | None) -> Any:
        """Send a value (or an exception) into a thread and answer its requests up to its next step."""
        thread.perform = None
        return GeneratorRun.go(self, thread, value, error)

    def go(
        self, thread: SimThread, value: Any = None, error: BaseException | None = None,
        request: Any = None, problem: BaseException | None = None,
    ) -> Any:
        """Do what the thread waits to do, give it the result, and answer its requests up to its next step.

        The thread may have been given it already: then `request` is what it asks for, or `problem` what it raised.
        """
        self.running = thread
        sites, names, short, generator = self.sites, self.names, not self.record, thread.generator
        if thread.perform is not None:
            site, waiting = thread.site, thread.request
            try:
                if short and waiting and site.quick and thread.perform is site.perform:
                    value = self._access(thread, site, waiting)
                else:
                    value = thread.perform(self, thread, site, waiting)
            except (*OWN, KeyboardInterrupt):
                raise
            except BaseException as raised:
                value, error = thrown(generator, plain(raised, self))
            waiting = None
        thread.request = NO_REQUEST
        while True:
            try:
                if problem is not None:
                    raise problem
                if request is None:
                    request = generator.send(value) if error is None else generator.throw(error)
                site = sites[request[0]]
                quick = site.quick
                if quick and short and type(request[site.operand]) is site.plain:
                    if quick < METHOD:
                        if id(request[site.operand]) in names:
                            thread.site, thread.request, thread.perform, thread.gate = site, request, site.perform, None
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
                request = problem = None
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

    def glide(
        self, choose: Callable[[list[int]], int], enabled: list[int], last: int, draw: Any = None
    ) -> tuple[int, int, int]:
        """Go on while nobody waits for anybody; the last thread, and how many switches and preemptions there were.

        The tight loop of a search: plain accesses of plain objects are made here and now, without a handler. All that
        is not plain goes through go(). `choose` gives the thread to move, -1 to stop;
        with `draw` it is drawn.
        """
        names, sites, threads, append, noting = self.names, self.sites, self.threads, self.schedule.append, self.noting
        waits: list[Any] = [None] * len(threads)  # what a thread waits to do, where that is plain
        places: list[Any] = [None] * len(threads)
        sends: list[Any] = [None] * len(threads)
        for thread in threads:
            if not thread.done:
                self._note_wait(thread, waits, places, sends)
        switches = preemptions = 0
        free = last in enabled
        for _ in range(128 - (len(self.schedule) & 127)):
            index = choose(enabled) if draw is None else enabled[int(draw() * len(enabled))]
            if index != last:
                if index < 0:
                    break
                if last >= 0:
                    switches += 1
                    preemptions += free
                last, free = index, True
            append(index)
            site, request = places[index], waits[index]
            if site is not None:
                try:
                    if site.quick == READ_FIELD:
                        value = getattr(request[1], site.name)
                        if type(value) not in ATOMIC and id(value) not in names:
                            self.registry.add(value, f"{names[id(request[1])]}.{site.name}")
                        if noting:
                            self.log.append((index, (names[id(request[1])], site.name), READ))
                    else:
                        version = self.version
                        value = self._access(threads[index], site, request)
                        threads[index].own += self.version - version
                except (*OWN, KeyboardInterrupt):
                    raise
                except BaseException as error:
                    request = places[index] = waits[index] = None
                    self._slowly(threads[index], error)
                else:
                    request = places[index] = waits[index] = None
                    try:
                        request = sends[index](value)
                    except StopIteration as stop:
                        self._come_back(threads[index], stop)
                    except BaseException as problem:
                        threads[index].perform = None
                        self.go(threads[index], None, None, None, problem)
                    else:
                        value, site = None, sites[request[0]]
                        thing = request[site.operand]
                        if type(thing) is site.plain and site.quick < METHOD and id(thing) in names:
                            places[index], waits[index] = site, request
                            continue
                        thing = None
                        self._slowly(threads[index], None, request)
                        request = None
            else:
                self._slowly(threads[index])
            thread = threads[index]
            if thread.done:
                enabled, free = [i for i in enabled if i != index], False
                if not enabled:
                    break
            elif thread.gate is not None or thread.last_tick or len(threads) > self.roots:
                break
            else:
                self._note_wait(thread, waits, places, sends)
        for thread, site, request in zip(threads, places, waits, strict=False):
            if site is not None:
                thread.site, thread.request, thread.perform, thread.gate = site, request, site.perform, None
        return last, switches, preemptions

    @staticmethod
    def _note_wait(thread: SimThread, waits: list[Any], places: list[Any], sends: list[Any]) -> None:
        """Note what a thread waits to do, if it is a plain access."""
        index, site = thread.index, thread.site
        sends[index] = thread.generator.send
        if thread.request and site.quick and thread.perform is site.perform:
            places[index], waits[index] = site, thread.request

    def _come_back(self, thread: SimThread, stop: StopIteration) -> None:
        """A function has returned: to its caller, or the thread has ended. The exception is not kept: a frame that
        held it would be part of a circle."""
        thread.perform = None
        if thread.generator.gi_frame is not None:
            self.go(thread, None, stop)
        elif thread.stack:
            _, value, error = self._return(thread, stop.value)
            version = self.version
            self.go(thread, value, error)
            thread.own += self.version - version
        else:
            thread.finish(stop.value)

    def _slowly(self, thread: SimThread, error: BaseException | None = None, request: Any = None) -> None:
        """Go on with a thread by asking the handlers: after an access of its own that raised an `error`, or with what
        it asks for now."""
        version = self.version
        if error is not None or request is not None:
            thread.perform = None
        value, thrown_ = (None, None) if error is None else thrown(thread.generator, plain(error, self))
        self.go(thread, value, thrown_, request)
        thread.own += self.version - version

    def _access(self, thread: SimThread, site: Any, request: tuple) -> Any:
        """A field or an item of a shared object, read or written: what the site's performer does where nothing is
        recorded. Raises what the access raises."""
        thing, quick, names = request[site.operand], site.quick, self.names
        if type(thing) is not site.plain:
            return site.perform(self, thread, site, request)
        if quick == READ_FIELD:
            name = site.name
            value = getattr(thing, name)
            if type(value) not in ATOMIC and id(value) not in names:
                self.registry.add(value, f"{names[id(thing)]}.{name}")
            if self.noting:
                self.log.append((thread.index, (names[id(thing)], name), READ))
            return value
        if quick == READ_ITEM:
            if self.noting:
                return site.perform(self, thread, site, request)
            value = thing[request[2]]
            if type(value) not in ATOMIC and id(value) not in names:
                self.learn(value, f"{names[id(thing)].removesuffix(FIELDS)}[{described(request[2])}]")
            return value
        value = request[1]
        if quick == WRITE_FIELD:
            new = self.noting and site.name not in getattr(thing, "__dict__", (site.name,))
            setattr(thing, site.name, value)
        elif self.noting or names[id(thing)][-8:] == ".globals":
            return site.perform(self, thread, site, request)
        else:
            thing[request[3]] = value
        self.version += 1
        if type(value) not in ATOMIC and id(value) not in names:
            self.registry.escape(value, thread.name)
        if self.noting:
            known = names[id(thing)]
            self.log.append((thread.index, (known, site.name), WRITE))
            if new:
                self.log.append((thread.index, (known, ORDER), WRITE))
        return None

    def _shortcut(self, thread: SimThread, site: Any, request: tuple) -> Any:
        """The generator of a call of a learner's function that was called from here before; None for any other."""
        function, thing, quick = site.function, request[site.operand], site.quick
        if quick >= GETTER:
            found = getattr(type(thing), site.name, None)
            if type(found) is not property or (found.fget if quick == GETTER else found.fset) is not function:
                return None
        elif quick == METHOD:
            bound = getattr(thing, site.name)
            if type(bound) is not types.MethodType or bound.__func__ is not function or bound.__self__ is not thing:
                return None
        elif thing is not function:
            return None
        if (len(request) > 3 and quick != SETTER) or not (site.free or function in self.entered):
            return None
        if thread.handled is not None or len(thread.stack) >= (self.recursion or DEPTH_LIMIT):
            return None
        if function.__defaults__ is not site.made.__defaults__:
            return None
        if quick >= GETTER:
            return site.made(thing) if quick == GETTER else site.made(thing, request[1])
        return site.made(thing, *request[2]) if site.quick == METHOD else site.made(*request[2])

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
            thread.driven, self.record = driven, record
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
