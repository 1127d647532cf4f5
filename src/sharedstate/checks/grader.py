"""Ask children for values and judge them here. A failed child starts again, without the cell that hung it."""

from __future__ import annotations

import random
import re
import secrets
import sys
import time
from dataclasses import dataclass, replace

from .among import all_cases
from .assess import in_turn, judge_from_outside, judge_value
from .bank import Cell, default_controls, setup_source
from .child import Box, Child, ChildFailed, decode
from .extract import answer_of, defines, label
from .outside import Asker
from .registry import Registry, Room
from .shim import NOTEBOOK
from .slices import Slice
from .source_gate import require_allowed, without_course
from .types import AnswerProblem, Case, Control, Exercise, Verdict

SLUG = re.compile(r"[a-z][a-z-]{1,40}")
MESSAGE_LIMIT = 2000
MOST_AGAIN = 4  # cases that are asked from outside, where every value takes a message
OUTSIDE_SLACK = 60.0  # seconds: every value takes a message, and this process may have to load torch first
SLACK = 5.0  # seconds that a reply may be late, on a busy machine


@dataclass(frozen=True)
class Limits:
    """Seconds for one cell and for the whole notebook, and how often a failed child is started again."""

    cell: float = 30.0
    total: float = 180.0
    restarts: int = 4


class Grader:
    """Judges the exercises of one notebook. `close` it at the end."""

    def __init__(
        self, cells: list[Cell], registry: Registry, limits: Limits, extra_path: tuple[str, ...] = (),
        box: Box | None = None,
    ) -> None:
        self.cells, self.registry, self.limits, self.extra_path = cells, registry, limits, extra_path
        self.box = box or Box()
        self.notes: list[str] = []
        self.failed: dict[int, str] = {}
        self._skip: set[int] = set()
        self._child: Child | None = None
        self._hostile: ChildFailed | None = None
        self._starts = 0
        self._end = time.monotonic() + limits.total

    def verdict(self, exercise: Exercise, seed: int, isolated: bool) -> Verdict:
        """Judge one exercise; where its answer is missing because its cell failed, say what became of that cell."""
        if isolated:
            load_torch_for(self.registry.room(exercise.id))
        if not exercise.judge_source:
            judge = self.outside if isolated else self.inside
            return self._explained(exercise, judge(exercise, seed))
        try:
            setup = setup_source(self.registry.room(exercise.id).unit_folder)
            source = answer_of(self.cells, exercise, setup)
            require_allowed(exercise, source.text, source.place, setup)
        except AnswerProblem as problem:
            return self._explained(exercise, exercise.wrong(problem.reason, problem.message))
        return self._explained(
            exercise, self.from_source(exercise, source, seed) if isolated else self.inside(exercise, seed))

    def outside(self, exercise: Exercise, seed: int) -> Verdict:
        """Judge values here that the notebook's process returned, one case at a time."""
        def judged(case: Case, left: float) -> Verdict:
            try:
                return self._judged(self._notebook(), exercise, case, NOTEBOOK, left)
            except ChildFailed as failure:
                self.close()
                return exercise.wrong(failure.reason, failure.message)

        verdict = in_turn(exercise, all_cases(exercise, seed), exercise.seconds, judged)
        return self._asked_again(exercise, verdict, seed) if verdict.points and exercise.from_outside else verdict

    def _asked_again(self, exercise: Exercise, verdict: Verdict, seed: int) -> Verdict:
        """Let the course's own `run`, here, ask the answer in the notebook's process: what was told may be forged."""
        def judged(case: Case, left: float) -> Verdict:
            until = time.monotonic() + self._left(left)
            return judge_from_outside(exercise, case, lambda: Asker(self._notebook(), exercise, NOTEBOOK, until), left)

        try:
            again = in_turn(exercise, _some(exercise, seed), exercise.seconds + OUTSIDE_SLACK, judged)
        except ChildFailed as failure:
            self.close()
            return exercise.wrong(failure.reason, failure.message)
        said = f"Asked from outside, this answer is not what it seemed inside: {again.message}"
        return verdict if again.points >= verdict.points else replace(again, reason="differs-outside", message=said)

    def inside(self, exercise: Exercise, seed: int) -> Verdict:
        """Return the verdict of the notebook's own process: good enough for the learner's own look."""
        try:
            reply = self._notebook().ask(
                self._left(2 * exercise.seconds + SLACK), do="assess", exercise=exercise.id, seed=seed)
            return Verdict(**reply["verdict"]) if "verdict" in reply else _problem(exercise, reply)
        except ChildFailed as failure:
            self.close()
            return exercise.wrong(failure.reason, failure.message)

    def _explained(self, exercise: Exercise, verdict: Verdict) -> Verdict:
        if not verdict.ok:
            for number, note in self.failed.items():
                missing = verdict.reason in ("missing", "untouched")
                if defines(self.cells[number].source, exercise.answer) or (
                        missing and re.search(rf"\b{exercise.answer}\b", self.cells[number].source)):
                    why = "It should come from" if missing else "Its cell failed after the assignment:"
                    return replace(verdict, message=f"{verdict.message} {why} {note}")
        return verdict

    def from_source(self, exercise: Exercise, source: Slice, seed: int) -> Verdict:
        """Judge the answer's source in a clean process, among sources whose verdict is known."""
        try:
            with Child(self.registry, self.extra_path, self.box) as child:
                return self._among_controls(child, exercise, source, seed)
        except (AnswerProblem, ChildFailed) as problem:
            return exercise.wrong(problem.reason, problem.message)

    def _among_controls(self, child: Child, exercise: Exercise, source: Slice, seed: int) -> Verdict:
        """Load all sources before the first is run, so that what one patches hits the controls too.

        The answer runs first, so that what it patches then hits them as well; where it earns nothing, nobody asks them.
        """
        room = self.registry.room(exercise.id)
        controls = self._drawn(exercise, exercise.controls() or default_controls(room.folder))
        setup = without_course(setup_source(room.unit_folder))
        order = [Control(source.text, False), *controls]
        shuffled = random.SystemRandom().sample(order, len(order))
        handles = {secrets.token_hex(8): control for control in shuffled}
        failed = {h: self._load(child, exercise, h, c.source, setup) for h, c in handles.items()}
        mine = next(h for h, c in handles.items() if c is order[0])
        verdict = failed[mine] or self._run_all(child, exercise, mine, seed)
        if verdict.points and any((failed[h] or self._run_all(child, exercise, h, seed)).ok is not c.ok
                                  for h, c in handles.items() if h != mine):
            said = "With this cell loaded, known answers were no longer judged as they are."
            return exercise.wrong("tampered", said)
        return _in_its_cells(verdict, mine, source)

    def _drawn(self, exercise: Exercise, controls: tuple[Control, ...]) -> list[Control]:
        """Return a right and a wrong control, drawn anew each time: which ones cannot be foreseen."""
        kinds = [[control for control in controls if control.ok is ok] for ok in (True, False)]
        if not all(kinds):
            raise ValueError(f"{exercise.id} needs a right and a wrong control to be judged from source.")
        return [secrets.choice(kind) for kind in kinds]

    def _load(
        self, child: Child, exercise: Exercise, handle: str, source: str, setup: str
    ) -> Verdict | None:
        reply = child.ask(
            self._left(self.limits.cell), do="source", handle=handle, source=source, setup=setup,
            name=exercise.answer)
        return _problem(exercise, reply) if "problem" in reply else None

    def _run_all(self, child: Child, exercise: Exercise, handle: str, seed: int) -> Verdict:
        return in_turn(
            exercise, all_cases(exercise, seed), exercise.seconds,
            lambda case, left: self._judged(child, exercise, case, handle, left))

    def _judged(
        self, child: Child, exercise: Exercise, case: Case, handle: str, seconds: float
    ) -> Verdict:
        """Send one case (inputs only), and judge the value that comes back."""
        reply = child.ask(
            self._left(seconds + SLACK), do="answer", exercise=exercise.id, case=case.to_json(),
            handle=handle, limit=seconds)
        if "problem" in reply:
            return _problem(exercise, reply)
        try:
            value = decode(reply["value"]) if type(reply.get("value")) is str else None
        except ValueError:
            return exercise.wrong("not-plain", "The answer is no plain value.")
        return judge_value(exercise, case, value)

    def _notebook(self) -> Child:
        """Return a child in which the notebook's cells ran; what hung or killed one before is left out."""
        while self._child is None:
            self._left(0)
            if self._hostile:
                raise self._hostile
            if self._starts > self.limits.restarts:
                raise ChildFailed("ended", "The notebook's process had to be started too often.")
            self._starts += 1
            self._child = self._started()
        return self._child

    def _started(self) -> Child | None:
        child = Child(self.registry, self.extra_path, self.box)
        cells = {number: cell.source for number, cell in enumerate(self.cells) if number not in self._skip}
        try:
            raised, ended = child.run_cells(cells, self.limits.cell, self._end)
        except BaseException:
            child.close()
            raise
        for number, error in raised.items():
            self._note(number, error)
        if ended is None:
            return child
        number, failure = ended
        child.close()
        self._note(number, failure.message)
        self._skip.add(number)
        self._hostile = failure if failure.reason in ("forged-reply", "flood") else None
        return None

    def _note(self, number: int, error: str) -> None:
        note = f"{label(self.cells, number)}: {error[:300]}"
        self.failed[number] = note
        if note not in self.notes:
            self.notes.append(note)

    def _left(self, wanted: float) -> float:
        """Return how long may be waited, within what is left of the whole."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise ChildFailed("timeout", f"The whole notebook took more than {self.limits.total:.3g} s.")
        return min(wanted, left)

    def close(self) -> None:
        """End the notebook's process; a later verdict starts another one."""
        if self._child is not None:
            self._child.close()
        self._child = None


def load_torch_for(room: Room) -> None:
    """Load torch where an exercise has to do with it: under a judge's time limit, the import could be torn apart."""
    texts = (room.folder / "check.py", room.unit_folder / "lab.py", *room.folder.parent.glob("*.py"))
    if "torch" not in sys.modules and any("torch" in one.read_text("utf-8") for one in texts if one.exists()):
        import torch  # noqa: F401


def _some(exercise: Exercise, seed: int) -> list[Case]:
    """Return the cases that are asked from outside, MOST_AGAIN of them by the seed; all where each earns a share."""
    cases = exercise.cases(seed)
    few = len(cases) <= MOST_AGAIN or exercise.shares
    return cases if few else exercise.draw(seed).sample(cases, MOST_AGAIN)


def _in_its_cells(verdict: Verdict, handle: str, source: Slice) -> Verdict:
    """Name the learner's cell and line where the verdict names a line of what was judged."""
    def told(text: str | None) -> str | None:
        return text and re.sub(rf"{handle}, line (\d+)", lambda at: source.place(int(at[1])).capitalize(), text)

    def drawn(text: str | None) -> str | None:
        return text and re.sub(rf"{handle}:(\d+)", lambda at: source.short(int(at[1])).ljust(len(at[0])), text)

    return replace(verdict, message=told(verdict.message) or "", schedule=drawn(verdict.schedule))


def _problem(exercise: Exercise, reply: dict) -> Verdict:
    """Turn a child's complaint into a wrong verdict, whatever it holds."""
    told = reply.get("problem")
    if type(told) is not list or [type(part) for part in told] != [str, str] or not SLUG.fullmatch(told[0]):
        return exercise.wrong("unusable", "The notebook's process gave no usable reply.")
    return exercise.wrong("unusable" if told[0] == "ok" else told[0], told[1][:MESSAGE_LIMIT])
