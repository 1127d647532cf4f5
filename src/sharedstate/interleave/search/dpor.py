"""Dynamic partial-order reduction with source sets and sleep sets: one execution for each class that differs.

After Abdulla, Aronis, Jonsson and Sagonas, "Optimal dynamic partial order reduction" (POPL 2014), the source-set
algorithm. Two executions are in one class if every pair of conflicting accesses comes in the same order.
No state is hashed, and nothing is pruned under a bound: both would lose outcomes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sharedstate.interleave.events import Event, History, first_event, pending
from sharedstate.interleave.findings import Findings
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.search.driver import NotDeterministic, drive


class Irreducible(Exception):
    """The program waits in a way that ties all its steps together; the message says how."""


@dataclass(slots=True)
class Node:
    """The state before a step: who could move, whose move is known to be covered, who is still to be tried."""

    enabled: tuple[str, ...]
    sleep: dict[str, Event]
    chosen: str
    todo: list[str]
    done: dict[str, Event] = field(default_factory=dict)
    event: Event | None = None

    def want(self, starters: list[str]) -> None:
        """One of these threads must be tried from here; if none of them can move, all that can."""
        for name in starters:
            if name in self.todo or name in self.sleep:
                return
        able = [name for name in starters if name in self.enabled]
        self.todo += able[-1:] or [name for name in self.enabled if name not in self.todo]

    def following(self) -> str | None:
        """The next thread to try, None if the node is finished."""
        self.done[self.chosen] = self.taken
        left = (name for name in self.todo if name not in self.done and name not in self.sleep)
        return next(left, None)

    @property
    def taken(self) -> Event:
        """The event of the step that was chosen here."""
        if self.event is None:
            raise NotDeterministic("a step that was taken before did not come again")
        return self.event


class Dpor:
    """Every class once, below the `nodes` that are given. Raises Irreducible where only the full search is sound.

    The first `known` steps of a run are those of the run before it, and so are their events.
    """

    def __init__(self, found: Findings, nodes: list[Node] | None = None) -> None:
        self.found = found
        self.history = History()
        self.nodes: list[Node] = list(nodes or [])
        for node in self.nodes:
            for event in (*node.sleep.values(), *node.done.values()):
                self.history.adopt(event)
            self.history.add(node.taken)
        self.floor = self.known = len(self.nodes)
        self.begun = False
        self.able: tuple[list[int], tuple[str, ...]] = ([], ())

    def more(self) -> bool:
        """Go back to the deepest node with a thread left to try; False if there is none."""
        if not self.begun:
            return True
        while len(self.nodes) > self.floor:
            chosen = self.nodes[-1].following()
            if chosen is not None:
                self.nodes[-1].chosen = chosen
                self.known = len(self.nodes) - 1
                self.history.cut(self.known)
                return True
            self.nodes.pop()
        self.found.complete = True
        return False

    def begin(self, run: Run) -> None:
        """The steps that are known come first; what they touch is known too."""
        self.run, self.begun = run, True
        self.place, self.logged = 0, 0
        self.open: Event | None = None
        self.names = [thread.name for thread in run.threads]
        self.places = {name: index for index, name in enumerate(self.names)}
        self.history.births = dict.fromkeys(self.names, 0)
        self.moves = [self.places.get(node.chosen, -1) for node in self.nodes[: self.known]]

    def choose(self, enabled: list[int]) -> int:
        """A step that is known, or the one chosen at a new node; -1 where all that can move is covered elsewhere."""
        place, run = self.place, self.run
        self.place = place + 1
        if self.open is not None:
            self.settle()
        if len(run.threads) != len(self.names):
            self._born()
        if place < self.known:
            index = self.moves[place]
            return index if index in enabled else self._again(self.nodes[place], enabled)
        if place < len(self.nodes):
            node = self.nodes[place]
            index = self._again(node, enabled)
        else:
            found = self.arrive(enabled)
            if found is None:
                return -1
            self.nodes.append(found)
            node, index = found, self.places[found.chosen]
        run.noting = True
        self.logged = len(run.log)
        self.open = node.event = first_event(run, index)
        return index

    def end(self, run: Run) -> None:
        """Place the last event; a thread that still waits races with whoever took what it waits for."""
        if self.open is None:
            return
        self.settle()
        if len(run.threads) > len(self.names):
            self._born()
        history = self.history
        for thread in run.threads:
            if not thread.done:
                event = pending(run, thread)
                history.adopt(event)
                known = history.known(event.thread)
                for rival in history.rivals(event, known):
                    self.nodes[rival].want(history.initials(rival, event, known))

    def _again(self, node: Node, enabled: list[int]) -> int:
        """The thread chosen at a node, which must be able to move now."""
        index = self.places.get(node.chosen, -1)
        if index not in enabled:
            raise NotDeterministic(f"step {self.place} of the same schedule came out differently")
        return index

    def settle(self) -> None:
        """Note what the last step touched, and ask for the executions in which its races end the other way."""
        event, run = self.open, self.run
        if event is None:
            return
        self.open = None
        if run.waiting_for_anybody():
            raise Irreducible("a loop that waits for a change by anybody")
        event.touched = tuple([(key, mode) for _, key, mode in run.log[self.logged :]])
        history, nodes = self.history, self.nodes
        rivals, known = history.add(event)
        for rival in rivals:
            nodes[rival].want(history.initials(rival, event, known))

    def _born(self) -> None:
        """A thread that a step has started knows what its creator knew."""
        for thread in self.run.threads[len(self.names) :]:
            self.history.births[thread.name] = self.nodes[self.place - 2].taken.past
            self.places[thread.name] = len(self.names)
            self.names.append(thread.name)

    def arrive(self, enabled: list[int]) -> Node | None:
        """A new node; None where everything that can move is covered elsewhere."""
        sleep: dict[str, Event] = {}
        nodes, last = self.nodes, self.run.last
        if nodes and (nodes[-1].sleep or nodes[-1].done):
            before, conflict = nodes[-1], self.history.conflict
            covered, event = before.sleep | before.done, before.taken
            sleep = {name: one for name, one in covered.items() if not conflict(one, event)}
        if self.able[0] is not enabled:
            self.able = (enabled, tuple([self.names[i] for i in enabled]))
        able = self.able[1]
        if last in enabled and self.names[last] not in sleep:
            return Node(able, sleep, self.names[last], [self.names[last]])
        for name in able:
            if name not in sleep:
                return Node(able, sleep, name, [name])
        return None


def beginnings(found: Findings, start: Callable[[], Run], parts: int, depth: int) -> list[list[Node]]:
    """Beginnings that together lead to every class: enough of them, or all of a certain length."""
    ends: list[list[Node]] = [[]]
    while len(ends) < parts and depth:
        ends, depth = [longer for nodes in ends for longer in _longer(found, start, nodes)], depth - 1
    return ends


class _OneStep(Dpor):
    """Follows the nodes that are given and takes one step more: the thread `name`, or the first that is not covered."""

    def __init__(self, found: Findings, nodes: list[Node], name: str) -> None:
        super().__init__(found, nodes)
        self.name, self.covered = name, False

    def choose(self, enabled: list[int]) -> int:
        """One new node, and no second one."""
        return super().choose(enabled) if self.place <= self.known else -1

    def arrive(self, enabled: list[int]) -> Node | None:
        """The new node, with its thread chosen."""
        node = super().arrive(enabled)
        if node is None:
            self.covered = True
        else:
            node.chosen = self.name or next(name for name in node.enabled if name not in node.sleep)
        return node


def _longer(found: Findings, start: Callable[[], Run], nodes: list[Node]) -> list[list[Node]]:
    """A beginning with every next step that is not covered elsewhere; itself if it is a whole execution."""
    done: dict[str, Event] = {}
    longer, todo = [], [""]
    while todo:
        step, run = _OneStep(found, nodes, todo.pop(0)), start()
        drive(run, step)
        step.settle()
        run.close()
        if len(step.nodes) == len(nodes):
            return [] if step.covered else [nodes]
        node = step.nodes[-1]
        if not done:
            todo = [name for name in node.enabled if name not in node.sleep and name != node.chosen]
        node.todo, node.done = list(node.enabled), dict(done)
        done[node.chosen] = node.taken
        longer.append(step.nodes)
    return longer
