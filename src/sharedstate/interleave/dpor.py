"""Dynamic partial-order reduction with source sets and sleep sets: one execution for each class that differs.

After Abdulla, Aronis, Jonsson and Sagonas, "Optimal dynamic partial order reduction" (POPL 2014), the source-set
algorithm. Two executions are in one class if every pair of conflicting accesses comes in the same order.
No state is hashed, and nothing is pruned under a bound: both would lose outcomes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sharedstate.interleave.events import Event, first_event, happens_before, initials, join, pending, races
from sharedstate.interleave.execution import STEP_LIMIT, Course
from sharedstate.interleave.search import Findings, NotDeterministic, Search


class Irreducible(Exception):
    """The program waits in a way that ties all its steps together; the message says how."""


@dataclass(slots=True)
class Node:
    """The state before a step: who could move, whose move is known to be covered, who is still to be tried."""

    enabled: tuple[str, ...]
    moves: list[int]
    sleep: dict[str, Event]
    chosen: str
    todo: list[str]
    done: dict[str, Event] = field(default_factory=dict)
    event: Event | None = None

    def want(self, starters: list[str]) -> None:
        """One of these threads must be tried from here; if none of them can move, all that can."""
        if any(name in self.todo or name in self.sleep for name in starters):
            return
        able = [name for name in starters if name in self.enabled]
        self.todo += able[-1:] or [name for name in self.enabled if name not in self.todo]

    def following(self) -> str | None:
        """The next thread to try, None if the node is finished."""
        self.done[self.chosen] = self.event  # type: ignore[assignment]
        left = (name for name in self.todo if name not in self.done and name not in self.sleep)
        return next(left, None)


class Reduction:
    """One exhaustive search of a scenario's classes."""

    def __init__(self, search: Search, nodes: list[Node] | None = None) -> None:
        self.search = search
        self.nodes: list[Node] = list(nodes or ())
        self.floor = len(self.nodes)
        self.births: dict[str, dict[str, int]] = {}

    def explore(self) -> Findings:
        """Every class once. Raises Irreducible where only the unreduced search is sound."""
        search = self.search
        while True:
            if search.over():
                return search.found
            self._execute()
            if not self._backtrack():
                search.found.complete = True
                return search.found

    def _backtrack(self) -> bool:
        """Go back to the deepest node with a thread left to try; False if there is none."""
        while len(self.nodes) > self.floor:
            chosen = self.nodes[-1].following()
            if chosen is not None:
                self.nodes[-1].chosen = chosen
                return True
            self.nodes.pop()
        return False

    def _execute(self) -> None:
        """Run the chosen prefix, then on to the end; find the races of what is new."""
        course = self.search.start()
        run, fresh = course.run, len(self.nodes) > self.floor
        self._follow(course, self.nodes[:-1] if fresh else self.nodes)
        if fresh:
            self._step(course, len(self.nodes) - 1)
        while (moves := run.enabled()) and len(run.schedule) < STEP_LIMIT:
            node = self._arrive(course, moves)
            if node is None:
                return self.search.abandon(course)
            self.nodes.append(node)
            self._step(course, len(self.nodes) - 1)
        self._blocked(run)
        self.search.record(course)

    def _follow(self, course: Course, nodes: list[Node]) -> None:
        """Take steps that were taken before."""
        run = course.run
        self.births = {thread.name: {} for thread in run.threads}
        for node in nodes:
            course.step(self._index(run, node.chosen), node.moves)
            self._born(run, node)

    def cut(self, parts: int, depth: int) -> list[list[Node]]:
        """Beginnings that together lead to every class: enough of them, or all of a certain length."""
        ends: list[list[Node]] = [[]]
        while len(ends) < parts and depth:
            ends, depth = [longer for nodes in ends for longer in self._longer(nodes)], depth - 1
        return ends

    def _longer(self, nodes: list[Node]) -> list[list[Node]]:
        """A beginning with every next step that is not covered elsewhere; itself if it is a whole execution."""
        done: dict[str, Event] = {}
        found, todo = [], [""]
        while todo:
            name = todo.pop(0)
            self.nodes, course = list(nodes), self.search.start()
            self._follow(course, nodes)
            moves = course.run.enabled()
            node = self._arrive(course, moves) if moves else None
            if node is None:
                course.run.close()
                return [] if moves else [nodes]
            if not name:
                name, *todo = [n for n in node.enabled if n not in node.sleep]
            node.chosen, node.todo, node.done = name, list(node.enabled), dict(done)
            self.nodes.append(node)
            self._step(course, len(nodes))
            done[name] = node.event  # type: ignore[assignment]
            course.run.close()
            found.append(self.nodes)
        return found

    def _index(self, run: Any, name: str) -> int:
        """The place of a thread that must be able to move now."""
        for thread in run.threads:
            if thread.name == name and not thread.done and (thread.gate is None or thread.gate()):
                return thread.index
        raise NotDeterministic(f"step {len(run.schedule) + 1} of the same schedule came out differently")

    def _born(self, run: Any, node: Node) -> None:
        """A thread that a step starts knows what its creator knew."""
        for thread in run.threads[len(self.births) :]:
            self.births[thread.name] = dict(node.event.clock)  # type: ignore[union-attr]

    def _arrive(self, course: Course, moves: list[int]) -> Node | None:
        """A new node; None where everything that can move is covered elsewhere."""
        sleep: dict[str, Event] = {}
        threads = course.run.threads
        if self.nodes:
            before = self.nodes[-1]
            covered = before.sleep | before.done
            sleep = {name: event for name, event in covered.items() if not event.conflicts(before.event)}
        able = tuple(threads[i].name for i in moves)
        awake = [name for name in able if name not in sleep]
        if not awake:
            return None
        last = threads[course.last].name if course.last >= 0 else ""
        chosen = last if last in awake else awake[0]
        return Node(able, moves, sleep, chosen, [chosen])

    def _step(self, course: Course, place: int) -> None:
        """Take the step chosen at a new node, note what it touched and which races it makes."""
        run, node = course.run, self.nodes[place]
        index = self._index(run, node.chosen)
        event, logged = first_event(run, index), len(run.log)
        course.step(index, node.moves)
        if any(t.spinning >= 0 or t.patient is not None for t in run.threads):
            raise Irreducible("a loop that waits for a change by anybody")
        event.touched = tuple([(key, mode) for _, key, mode in run.log[logged:]])
        self._place(place, event)
        self._born(run, node)

    def _place(self, place: int, event: Event) -> None:
        """Give a node its event: its clock, its races, and who must be tried instead."""
        before = [node.event for node in self.nodes[:place]]
        self.nodes[place].event = event
        self._number(event, before)
        for rival in races(event, before):
            self._reverse(rival, before, event)
        for earlier in before:
            if earlier.conflicts(event):  # type: ignore[union-attr]
                join(event.clock, earlier.clock)  # type: ignore[union-attr]
        event.clock[event.thread] = event.number

    def _number(self, event: Event, before: list[Any]) -> None:
        """What the thread knew before this step."""
        own = next((e for e in reversed(before) if e.thread == event.thread), None)
        event.number = own.number + 1 if own else 1
        event.known = dict(own.clock if own else self.births[event.thread])
        event.clock = dict(event.known)

    def _reverse(self, rival: int, before: list[Any], event: Event) -> None:
        """Ask the node before the rival to try an execution in which `event` comes first."""
        after = [e for e in before[rival + 1 :] if not happens_before(before[rival], e)]
        self.nodes[rival].want(initials(after, event))

    def _blocked(self, run: Any) -> None:
        """At the end, a thread that still waits races with whoever took what it waits for."""
        before = [node.event for node in self.nodes]
        for thread in run.threads:
            if not thread.done:
                event = pending(run, thread)
                self._number(event, before)
                for rival in races(event, before):
                    self._reverse(rival, before, event)
