"""Dynamic partial-order reduction with source sets and sleep sets: one execution for each class that differs.

After Abdulla, Aronis, Jonsson and Sagonas, "Optimal dynamic partial order reduction" (POPL 2014), the source-set
algorithm. Two executions are in one class if every pair of conflicting accesses comes in the same order.
No state is hashed, and nothing is pruned under a bound: both would lose outcomes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sharedstate.interleave.events import Event, History
from sharedstate.interleave.execution import Course
from sharedstate.interleave.findings import Findings
from sharedstate.interleave.search import NotDeterministic, Search


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
    mark: Any = None

    def want(self, starters: list[str]) -> None:
        """One of these threads must be tried from here; if none of them can move, all that can."""
        for name in starters:
            if name in self.todo or name in self.sleep:
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
        self._begin(nodes or [])
        self.floor = len(self.nodes)

    def _begin(self, nodes: list[Node]) -> None:
        """Start from nodes that were made elsewhere."""
        self.history = History()
        self.nodes: list[Node] = list(nodes)
        for node in self.nodes:
            for event in (*node.sleep.values(), *node.done.values()):
                self.history.adopt(event)
            self.history.add(node.event)  # type: ignore[arg-type]

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
                self.history.cut(len(self.nodes) - 1)
                return True
            self.nodes.pop()
        return False

    def _execute(self) -> None:
        """Run the chosen prefix, then on to the end; find the races of what is new."""
        course = self._return()
        run = course.run
        if len(self.nodes) > self.floor:
            self._step(course, self.nodes[-1])
        while (moves := run.enabled()) and self.search.goes_on(run):
            node = self._arrive(course, moves)
            if node is None:
                return self.search.abandon(course)
            node.mark = course.mark()
            self.nodes.append(node)
            self._step(course, node)
        self._blocked(run)
        self.search.record(course)

    def _return(self) -> Course:
        """A course at the last node; at the end of the nodes that were given, if there are no others."""
        fresh = len(self.nodes) > self.floor
        if fresh and self.nodes[-1].mark is not None:
            course, mark = self.nodes[-1].mark
            course.back(mark)
            return course
        course = self.search.start()
        self._follow(course, self.nodes[:-1] if fresh else self.nodes)
        return course

    def _follow(self, course: Course, nodes: list[Node]) -> None:
        """Take steps that were taken before."""
        run = course.run
        self.history.births = dict.fromkeys([thread.name for thread in run.threads], 0)
        places = {thread.name: thread.index for thread in run.threads}
        moves = [places.get(node.chosen, -1) for node in nodes]
        run.noting = run.whole = not run.fast or run.program.looping
        while not run.noting and run.steady() and len(run.schedule) < len(moves):
            before = len(run.schedule)
            self._again(course, moves)
            if len(run.schedule) == before:
                break
        run.noting = True
        for node in nodes[len(run.schedule) :]:
            course.step(self._index(run, node.chosen), node.moves)
            self._born(run, node)

    def _again(self, course: Course, moves: list[int]) -> None:
        """Take steps again whose events are known, for as long as nobody waits."""
        run, rest = course.run, iter(moves[len(course.run.schedule) :])

        def choose(enabled: list[int]) -> int:
            index = next(rest, -1)
            if index >= 0 and index not in enabled:
                raise NotDeterministic(f"step {len(run.schedule) + 1} of the same schedule came out differently")
            return index

        course.glide(choose, run.enabled())

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
            self._begin(nodes)
            course = self.search.start()
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
            self._step(course, node)
            done[name] = node.event  # type: ignore[assignment]
            course.run.close()
            found.append(self.nodes)
        return found

    def _index(self, run: Any, name: str) -> int:
        """The place of a thread that must be able to move now."""
        index = run.able(name)
        if index >= 0:
            return index
        raise NotDeterministic(f"step {len(run.schedule) + 1} of the same schedule came out differently")

    def _born(self, run: Any, node: Node) -> None:
        """A thread that a step starts knows what its creator knew."""
        births = self.history.births
        for thread in run.threads[len(births) :] if len(run.threads) > len(births) else ():
            births[thread.name] = node.event.past  # type: ignore[union-attr]

    def _arrive(self, course: Course, moves: list[int]) -> Node | None:
        """A new node; None where everything that can move is covered elsewhere."""
        sleep: dict[str, Event] = {}
        threads = course.run.threads
        if self.nodes:
            before, conflict = self.nodes[-1], self.history.conflict
            if before.sleep or before.done:
                covered = before.sleep | before.done
                sleep = {name: event for name, event in covered.items() if not conflict(event, before.event)}
        able = tuple([threads[i].name for i in moves])
        last = threads[course.last].name if course.last >= 0 else ""
        if last in able and last not in sleep:
            return Node(able, moves, sleep, last, [last])
        for name in able:
            if name not in sleep:
                return Node(able, moves, sleep, name, [name])
        return None

    def _step(self, course: Course, node: Node) -> None:
        """Take the step chosen at the last node, note what it touched and which races it makes."""
        run = course.run
        index = self._index(run, node.chosen)
        event, logged = run.event(index), len(run.log)
        course.step(index, node.moves)
        if run.waiting_for_anybody():
            raise Irreducible("a loop that waits for a change by anybody")
        if not event.touched:
            event.touched = tuple([(key, mode) for _, key, mode in run.log[logged:]])
        self._place(node, event)
        if len(run.threads) > len(self.history.births):
            self._born(run, node)

    def _place(self, node: Node, event: Event) -> None:
        """Give the last node its event, and ask for the executions in which its races end the other way."""
        node.event = event
        rivals, known = self.history.add(event)
        for rival in rivals:
            self.nodes[rival].want(self.history.initials(rival, event, known))

    def _blocked(self, run: Any) -> None:
        """At the end, a thread that still waits races with whoever took what it waits for."""
        history = self.history
        for thread in run.threads:
            if not thread.done:
                event = run.pending(thread)
                history.adopt(event)
                known = history.known(event.thread)
                for rival in history.rivals(event, known):
                    self.nodes[rival].want(history.initials(rival, event, known))
