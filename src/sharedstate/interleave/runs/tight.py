"""The tight loop of a search: one step after another, for as long as nobody waits for anybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sharedstate.interleave.access.handled import thrown
from sharedstate.interleave.access.lazy import plain
from sharedstate.interleave.access.spinning import arm
from sharedstate.interleave.runs.generators import GeneratorRun
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import OWN


class TightRun(GeneratorRun):
    """A run of a search: nobody looks on, and many steps are taken in a row."""

    fast = True

    def proceed(self, choose: Callable[[list[int]], int], enabled: list[int]) -> bool:
        """Take the steps that are chosen for as long as no loop turns and no thread is born; False if -1 is chosen."""
        if not self._plain():
            return super().proceed(choose, enabled)
        threads, append, names, sites = self.threads, self.schedule.append, self.names, self.sites
        version, gated = self.version, any(t.gate is not None for t in threads)
        for _ in range(128 - (len(self.schedule) & 127)):
            index = choose(enabled)
            if index != self.last:
                if index < 0:
                    return False
                if self.last >= 0:
                    self.switches += 1
                    self.preemptions += self.last in enabled
                self.last = index
            append(index)
            thread = self.running = threads[index]
            generator = thread.generator
            try:
                value = thread.perform(self, thread, thread.site, thread.request)
                thread.request = request = ()  # nothing of the learner's is kept alive here
                request = generator.send(value)
            except (*OWN, KeyboardInterrupt):
                raise
            except BaseException as error:
                self._come_back(thread, generator, error)
            else:
                value, site = None, sites[request[0]]
                if type(request[site.operand]) is site.plain and site.act and id(request[site.operand]) in names:
                    thread.site, thread.request, thread.perform, thread.gate = site, request, site.act, None
                else:
                    self.on(thread, None, None, request)
            if thread.awaiting:
                arm(self, thread)
            if self.version != version:
                thread.own += self.version - version
                version = self.version
            if thread.last_tick is not None or len(threads) > self.roots:
                self.settle(thread)
                break
            if thread.done or gated or thread.gate is not None:
                enabled = self.enabled()
                if not enabled:
                    break
                gated = any(t.gate is not None and not t.done for t in threads)
        return True

    def _come_back(self, thread: SimThread, generator: Any, error: BaseException) -> None:
        """Go on where a step has ended with an exception: the step's own, or what a function's code has ended with."""
        if generator.gi_frame is not None:
            self.on(thread, *thrown(generator, plain(error, self)))
        elif type(error) is not StopIteration:
            self.on(thread, None, None, None, error)
        elif not thread.stack:
            thread.finish(error.value)
        elif thread.stack[-1][1] is None:
            thread.generator, _ = thread.stack.pop()
            self.on(thread, error.value)
        else:
            _, value, problem = self._return(thread, error.value)
            self.on(thread, value, problem)

    def _plain(self) -> bool:
        """True while nobody looks on, no loop turns and there are no children: then steps may follow upon steps."""
        if self.record or self.watch or self.inspect is not None or len(self.threads) > self.roots:
            return False
        return not any((t.spinning >= 0 or t.last_tick) and not t.done for t in self.threads)
