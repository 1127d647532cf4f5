"""The tight loop of a search: plain accesses of plain objects, made here and now."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from sharedstate.interleave.access.handled import thrown
from sharedstate.interleave.access.lazy import plain
from sharedstate.interleave.access.places import ORDER, READ, WRITE
from sharedstate.interleave.access.registry import ATOMIC, FIELDS
from sharedstate.interleave.access.spinning import arm
from sharedstate.interleave.access.values import short as described
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import GETTER, METHOD, OWN, READ_FIELD, READ_ITEM, SETTER, WRITE_FIELD

DEPTH_LIMIT = 900


class Tight:
    """The part of a run that goes on without asking handlers, as long as nothing but plain accesses is asked for."""

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
            if thread.awaiting:
                arm(self, thread)
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
