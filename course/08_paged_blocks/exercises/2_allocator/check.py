"""Exercise 08.2: an allocator that two request threads use at the same time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from sharedstate.checks.scenarios import IMPORTS, Explored, Slip, explored, require_methods
from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.interleave import Scenario

METHODS = ("allocate", "share", "release", "num_free")
SEEN, MORE = "this allocator", "ten blocks"
CHANGED = "share and release must not change the list of blocks: it belongs to the caller."
SAYS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "two allocate": ("two-owners", "Two threads allocate one block each, and two are free: both got the same block, or "
                                   "one got none."),
    "the last block": ("two-owners", "Two threads want the last free block: one gets it, the other gets None."),
    "two share": ("lost-count", "Two threads share one block, then all three references are released: the block must "
                                "be free after the third, and not before."),
    "release and share": ("lost-count", "One thread releases its reference while another shares the block: afterwards "
                                        "the count is what it was."),
    "two release": ("lost-block", "Two threads release the last two references of a block: it must be free, once."),
})


class TwoThreads(Explored):
    """The answer is a class Allocator(num_blocks) with allocate, share, release and num_free."""

    id = "08.2"
    title = "An allocator for two threads"
    answer = "Allocator"
    minutes = 14
    difficulty = 3
    points = 3.0
    expects = "a class"
    seconds = 20.0
    judge_source = True
    imports = IMPORTS

    def cases(self, seed: int) -> list[Case]:
        """What one thread sees, then what two can do to each other."""
        draw = self.draw(seed)
        life = [["+", draw.randrange(1, 3)] if draw.random() < 0.5 else ["-", 0] for _ in range(16)]
        stories = {
            "one request": [["+", 2], ["+", 2]],
            "released blocks come back": [["+", 2], ["-", 0], ["+", 3], ["+", 1]],
            "shared blocks stay": [["+", 2], ["s", 0], ["-", 0], ["+", 2], ["-", 0], ["+", 2]],
            "none is not many": [["+", 0], ["+", 3], ["+", 0]],
            "many references": [["+", 1], *[["s", 0]] * 6, *[["-", 0]] * 7, ["+", 3]],
            MORE: [["+", 6], ["s", 0], ["+", 4], ["+", 3], ["-", 0], ["-", 0], ["+", 6]],
            "a long life": life,
        }
        alone = [Case(label, {"kind": "alone", "story": story, "blocks": 10 if label == MORE else 4},
                      label == "one request")
                 for label, story in stories.items()]
        return alone + [Case(label, {"kind": label}) for label in SAYS]

    def among(self, case: Case) -> bool:
        """The explorer makes an allocator anew for every order: other calls have no place there."""
        return case["kind"] == "alone"

    def run(self, answer: Any, case: Case) -> object:
        """One thread's story on two allocators in turn, or the explorer on two threads."""
        require_methods(answer, *METHODS)
        if case["kind"] == "alone":
            return [list(turn) for turn in zip(*_lives(answer, case["story"], case["blocks"]), strict=True)]
        return explored(ROOMS[case["kind"]](answer))

    def judge(self, case: Case, value: object) -> Verdict:
        """Alone first, then every order."""
        if case["kind"] == "alone":
            return self._alone(case, value)
        reason, said = SAYS[case.label]
        slips: Mapping[str, Slip] = {
            "broken": (reason, said, 0.0),
            "raised": ("raised", f"{said} An exception escaped, in the order below.", 0.0),
            "deadlock": ("deadlock", "Two threads wait for ever.", 0.0),
        }
        return self.by_verdict(value, "No order of two threads breaks the books.", slips,
                               ("not-proved", f"Case '{case.label}' could not be proved: {{verdict}}.", 0.0), SEEN)

    def _alone(self, case: Case, value: object) -> Verdict:
        story = case["story"]
        if type(value) is not list or len(value) != len(story) or any(type(turn) is not list for turn in value):
            return self.unseen(SEEN)
        for which in (0, 1):
            books = _Books(case["blocks"])
            for step, turn in zip(story, value, strict=True):
                said = books.complaint(step, turn[which])
                if said:
                    where = f"Case '{case.label}', Allocator({case['blocks']}), after {books.told}: "
                    return self.wrong(said[0], where + said[1])
        return self.right("One thread at a time, the books are right.")


def _lives(answer: Any, story: list, num_blocks: int) -> list[list[list[object]]]:
    """Play a story on two allocators, step by step in turn; return what each said."""
    both = [answer(num_blocks), answer(num_blocks)]
    mine: list[list[list]] = [[], []]
    said: list[list[list[object]]] = [[], []]
    for what, count in story:
        for which, allocator in enumerate(both):
            got: Any = None
            if what == "+":
                got = allocator.allocate(count)
                if got is not None:
                    mine[which].append(list(got))
                got = list(got) if type(got) in (list, tuple) else got
            elif mine[which]:
                blocks = mine[which][0]
                given = list(blocks)
                if what == "s":
                    allocator.share(given)
                    mine[which].append(blocks)
                else:
                    mine[which].pop(0)
                    allocator.release(given)
                if given != blocks:
                    raise AnswerProblem("changes-its-input", CHANGED)
            said[which].append([got, allocator.num_free()])
    return said


class _Books:
    """What one thread's story must give."""

    def __init__(self, num_blocks: int) -> None:
        self.num_blocks, self.told = num_blocks, "nothing"
        self.mine: list[list[int]] = []

    def complaint(self, step: list, seen: object) -> tuple[str, str] | None:
        """Take a step and what was seen; return (reason, words) or None."""
        what, count = step
        if type(seen) is not list or len(seen) != 2 or type(seen[1]) is not int:
            return "wrong-shape", "num_free() should return a whole number."
        used = Counter(block for blocks in self.mine for block in blocks)
        got, free = seen
        if what == "+":
            self.told = f"allocate({count})"
            if len(used) + count > self.num_blocks - 1:
                if got is not None:
                    return "over-full", f"{self.num_blocks - 1 - len(used)} blocks are free, so it returns None."
            elif type(got) is not list or len(got) != count or any(type(block) is not int for block in got):
                return "wrong-shape", f"it returned {got!r}; {count} blocks are free and wanted."
            elif len(set(got)) < count or set(got) & set(used) or not set(got) <= set(range(1, self.num_blocks)):
                return "two-owners", f"it returned {got}; in use are {sorted(used)}, of 1 to {self.num_blocks - 1}."
            else:
                self.mine.append(got)
        elif self.mine:
            blocks = self.mine[0]
            self.told = f"{'share' if what == 's' else 'release'}({blocks})"
            if what == "s":
                self.mine.append(blocks)
            else:
                self.mine.pop(0)
        left = self.num_blocks - 1 - len({block for blocks in self.mine for block in blocks})
        return None if free == left else ("miscounts", f"num_free() is {free}, and {left} are free.")


def _got(answers: Mapping[str, object]) -> list[object]:
    return sorted((list(a) if isinstance(a, (list, tuple)) else a for a in answers.values()), key=repr)


def _two_allocate(kind: Callable[[int], Any]) -> Scenario:
    calls = dict.fromkeys(("ann", "ben"), lambda a: a.allocate(1))
    return Scenario(lambda: kind(3), calls, never=lambda a, answers: _got(answers) != [[1], [2]] or a.num_free() != 0)


def _last_block(kind: Callable[[int], Any]) -> Scenario:
    calls = dict.fromkeys(("ann", "ben"), lambda a: a.allocate(1))
    return Scenario(lambda: kind(2), calls, never=lambda a, answers: _got(answers) != [None, [1]] and
                    _got(answers) != [[1], None])


def _after(a: Any, releases: int) -> list[int]:
    """How many are free after each of so many releases of block 1."""
    seen = []
    for _ in range(releases):
        a.release([1])
        seen.append(a.num_free())
    return seen


def _taken(kind: Callable[[int], Any], references: int) -> Callable[[], Any]:
    def setup() -> Any:
        a = kind(2)
        a.allocate(1)
        for _ in range(references - 1):
            a.share([1])
        return a

    return setup


def _two_share(kind: Callable[[int], Any]) -> Scenario:
    calls = dict.fromkeys(("ann", "ben"), lambda a: a.share([1]))
    return Scenario(_taken(kind, 1), calls, never=lambda a, answers: _after(a, 3) != [0, 0, 1])


def _release_and_share(kind: Callable[[int], Any]) -> Scenario:
    calls = {"ann": lambda a: a.release([1]), "ben": lambda a: a.share([1])}
    return Scenario(_taken(kind, 2), calls, never=lambda a, answers: _after(a, 2) != [0, 1])


def _two_release(kind: Callable[[int], Any]) -> Scenario:
    calls = dict.fromkeys(("ann", "ben"), lambda a: a.release([1]))
    return Scenario(_taken(kind, 2), calls, never=lambda a, answers: a.num_free() != 1)


ROOMS: Mapping[str, Callable] = MappingProxyType({
    "two allocate": _two_allocate, "the last block": _last_block, "two share": _two_share,
    "release and share": _release_and_share, "two release": _two_release,
})
EXERCISE = TwoThreads()
