"""Exercise 09.3: a scheduler that admits, decodes and finishes; shortest first, with a bound on overtaking."""

from __future__ import annotations

from random import Random
from types import MappingProxyType
from typing import Any

from sharedstate.checks.scenarios import require_methods
from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import SlipTable

METHODS = ("add", "step", "cancel")
BOUNDS = ("a long one waits", "patience 1", "two without patience", "no patience at all")
TURNS = 2  # schedulers that live through a story side by side


class OneStep(SlipTable):
    """The answer is a class Scheduler(places, patience) with add, step and cancel."""

    id = "09.3"
    title = "One step of a scheduler"
    answer = "Scheduler"
    minutes = 14
    difficulty = 3
    points = 3.0
    expects = "a class"
    slips = MappingProxyType({
        "two requests": ("wrong-step", "admit, then decode, then finish, and say who got a token. Whoever leaves must "
                         "not make a loop skip the next one."),
        "all at once": ("skips", "several finish in one step. Removing from a list while a loop walks over it skips "
                                 "the next one."),
        "a place becomes free": ("static", "whoever finishes leaves at once, and the next step fills the place, while "
                                           "others still run."),
        "somebody comes later": ("static", "a request that comes while others run is admitted in the next step, if a "
                                           "place is free."),
        "shortest first": ("wrong-order", "among those who wait, the one that wants the fewest tokens is admitted."),
        "equal lengths": ("wrong-order", "among equal ones, whoever came first is admitted."),
        "a long one waits": ("starves", "whoever has been overtaken `patience` times goes first, however long it is."),
        "patience 1": ("patience", "overtaken `patience` times is enough: not once more, and not once less."),
        "no patience at all": ("patience", "with patience 0 nobody may be overtaken: first come, first served."),
        "two without patience": ("wrong-urgent", "among several without patience, whoever came first is admitted, not "
                                                 "the shortest."),
        "only those who came before": ("counts-wrong", "a request is overtaken by those who came after it. An "
                                                       "admission of one that came before does not count."),
        "several in one step": ("counts-wrong", "each admission counts, also the second one in the same step."),
        "not only the head": ("counts-wrong", "all who came before are overtaken, not only the head of the queue."),
        "waiting is not being overtaken": ("counts-wrong", "time does not count, admissions of later ones do."),
        "cancelled in its place": ("cancel", "whoever is cancelled gets no more tokens, and its place is free."),
        "cancelled in the queue": ("cancel", "whoever is cancelled in the queue is never admitted."),
        "a cancelled one overtakes nobody": ("counts-wrong", "only admissions count: cancelling somebody "
                                                             "changes nobody else's count."),
        "cancelled twice": ("cancel", "cancel returns True when it took somebody away, and False when nobody was "
                                      "there, or any more."),
        "a name comes back": ("remembers-a-name", "a request with an old name is a new request: nothing is left of "
                                                  "the one before it."),
        "a quiet hour": ("wrong-step", "without requests a step serves nobody: an empty list."),
        "a busy hour": ("wrong-step", "all of it at once."),
    })

    def cases(self, seed: int) -> list[Case]:
        """Stories: `a3` adds a request of 3 tokens, `.` is a step, `-a` cancels."""
        draw = self.draw(seed)
        return [
            _case("two requests", 2, 9, "a1 b2 . . .", visible=True),
            _case("shortest first", 1, 9, "a3 b1 c2 . . . . . . ."),
            _case("equal lengths", 1, 9, "c2 a2 b2 . . . . . . ."),
            _case("all at once", 4, 9, "d1 b1 c1 a1 . . g2 f2 e2 . . ."),
            _case("a place becomes free", 1, 9, f"a70 b1 {'. ' * 72}"),
            _case("a place becomes free", 2, 9, "a1 b4 . c1 . d1 . . ."),
            _case("a place becomes free", 1, 9, "a2 b2 . . . . ."),
            _case("all at once", 8, 9, "a2 b2 c2 d2 e2 f2 g2 h2 i1 . . . ."),
            _case("somebody comes later", 3, 9, "a5 . b1 . . c2 . . . ."),
            _case("shortest first", 2, 9, "a4 . b3 c1 d2 . . . . . ."),
            _case("a long one waits", 1, 3, "a9 b1 . c1 . d1 . e1 . f1 . . . . . . . . . . . ."),
            _case("waiting is not being overtaken", 1, 2, "a6 . b2 c1 . . . . . d1 . e1 . . . ."),
            _case("only those who came before", 1, 2, "a1 b1 c9 d1 . . e1 . f1 . . . ."),
            _case("several in one step", 2, 2, "a4 b1 c1 d1 . . . . . ."),
            _case("not only the head", 1, 2, "a3 b3 c1 . d1 . . . . e1 . . . . ."),
            _case("patience 1", 1, 1, "a3 b1 c1 . . . . . ."),
            _case("patience 1", 1, 2, "a3 b1 c1 d1 . . . . . . ."),
            _case("two without patience", 1, 1, "a5 b3 c1 . d1 . . . . . . . . . ."),
            _case("two without patience", 1, 2, "a5 b6 c4 d1 e1 . . f1 . . . . . . . . . . . . . . . . . ."),
            _case("no patience at all", 1, 0, "a3 b1 c2 . . . . . . ."),
            _case("cancelled in its place", 2, 9, "a5 b5 . c2 . -b . . . . ."),
            _case("cancelled in its place", 1, 9, "a5 . b2 . -a . . ."),
            _case("cancelled in the queue", 1, 9, "a2 b1 c1 -b . . . . ."),
            _case("a cancelled one overtakes nobody", 1, 1, "a2 . b3 c1 -c d1 . . . . . ."),
            _case("a cancelled one overtakes nobody", 1, 2, "a1 . b5 c1 . d1 x3 -x . e1 . . . . . . ."),
            _case("cancelled twice", 1, 9, "a1 b2 -x . -a -b -b . ."),
            _case("a name comes back", 1, 2, "a5 b1 . b1 . . -a a4 b1 . b1 . . . . . . ."),
            _case("a name comes back", 2, 9, "a2 b3 . . a1 . . -b b2 . . ."),
            _case("a quiet hour", 2, 3, ". a1 . . . b1 -b . . ."),
            _case("a busy hour", draw.randrange(2, 5), draw.randrange(1, 5), _busy(draw)),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Two schedulers live through the story, word by word in turn."""
        require_methods(answer, *METHODS)
        both = [answer(case["places"], case["patience"]) for _ in range(TURNS)]
        said: list[list[object]] = [[] for _ in both]
        held: list[tuple[object, list[object]]] = []
        for word in case["story"].split():
            for scheduler, mine in zip(both, said, strict=True):
                found = _told(scheduler, word)
                mine.append(list(found) if isinstance(found, (list, tuple)) else found)
                held += [(found, list(found))] if isinstance(found, list) else []
        if any(now != then for now, then in held):
            told = "A list that step() returned has changed since: the caller still has it. Return a new one each time."
            raise AnswerProblem("changes-later", told)
        return said

    def judge(self, case: Case, value: object) -> Verdict:
        """Live through it with plain lists, and compare word by word."""
        story = case["story"].split()
        if type(value) is not list or len(value) != TURNS or any(
                type(mine) is not list or len(mine) != len(story) for mine in value):
            return self.unseen("this scheduler")
        if all(mine[place] is None for mine in value for place, word in enumerate(story) if word == "."):
            return self.wrong("untouched", "step() returns nothing yet.")
        places, patience = case["places"], case["patience"]
        right = lived(places, patience, story)
        for place, (word, wanted) in enumerate(zip(story, right, strict=True)):
            for mine in value:
                if mine[place] != wanted or type(mine[place]) is not type(wanted):
                    before = f"Case '{case.label}', Scheduler({places}, {patience}), {_drawn(story, place)}: "
                    near = (patience + 1, patience - 1) if case.label in BOUNDS else ()
                    other = next((n for n in near if mine == lived(places, n, story)), None)
                    if other is not None:
                        return self.wrong("patience", f"{before}{mine[place]} instead of {wanted}: it lets a request "
                                                      f"be overtaken {other} times, and its patience is {patience}.")
                    return self._slip(case, word, mine[place], wanted, before)
        return self.right("Everybody gets all of their tokens, and nobody waits for ever.")

    def _slip(self, case: Case, word: str, got: object, wanted: object, before: str) -> Verdict:
        """Name what is wrong with one word's result."""
        if word != ".":
            what = "nothing" if word[0] != "-" else "True or False"
            reason = "cancel" if type(got) is bool else "wrong-shape"
            said = f"cancel({word[1:]!r}) returns {got!r}, not {wanted!r}."
            return self.wrong(reason, f"{before}{said if word[0] == '-' else f'add should return {what}.'}")
        if type(got) is not list or any(type(name) is not str for name in got):
            return self.wrong("wrong-shape", f"{before}step() should return a list of names, not {got!r}.")
        if len(got) > case["places"]:
            return self.wrong("over-full", f"{before}{len(got)} requests run, and there are {case['places']} places.")
        if len(set(got)) < len(got):
            return self.wrong("twice", f"{before}{got}: somebody got two tokens in one step.")
        return self.slip(case, before=f"{before}{got} instead of {wanted}: ")


class Queue:
    """What a right scheduler does, with each request as [name, tokens left, times overtaken]."""

    def __init__(self, places: int, patience: int) -> None:
        self.places, self.patience = places, patience
        self.waiting: list[list[Any]] = []
        self.running: list[list[Any]] = []

    def told(self, word: str) -> object:
        """Take one word of a story; return what the scheduler should."""
        if word == ".":
            return self._step()
        if word[0] != "-":
            self.waiting.append([word[0], int(word[1:]), 0])
            return None
        before = len(self.waiting) + len(self.running)
        self.waiting = [one for one in self.waiting if one[0] != word[1:]]
        self.running = [one for one in self.running if one[0] != word[1:]]
        return len(self.waiting) + len(self.running) < before

    def _step(self) -> list[str]:
        while self.waiting and len(self.running) < self.places:
            self.running.append(self._next())
        served = [one[0] for one in self.running]
        self.running = [[name, left - 1, times] for name, left, times in self.running if left > 1]
        return served

    def _next(self) -> list[Any]:
        order = sorted(range(len(self.waiting)), key=lambda n: (self.waiting[n][1], n))
        place = next((n for n, one in enumerate(self.waiting) if one[2] >= self.patience), order[0])
        for one in self.waiting[:place]:
            one[2] += 1
        return self.waiting.pop(place)


def lived(places: int, patience: int, story: list[str]) -> list[object]:
    """Return what a right scheduler answers to each word of a story."""
    model = Queue(places, patience)
    return [model.told(word) for word in story]


def _told(scheduler: Any, word: str) -> object:
    """Say one word of a story to the learner's scheduler."""
    if word == ".":
        return scheduler.step()
    if word[0] == "-":
        return scheduler.cancel(word[1:])
    scheduler.add(word[0], int(word[1:]))
    return None


def _drawn(story: list[str], place: int) -> str:
    """Return the story up to a word, as a learner would write it."""
    told = []
    for word in story[: place + 1]:
        call = "step()" if word == "." else f"cancel({word[1:]})" if word[0] == "-" else f"add({word[0]}, {word[1:]})"
        told.append(call)
    return " ".join([*(["…"] if len(told) > 12 else []), *told[-12:]])


def _busy(draw: Random) -> str:
    """Return an hour with everything in it; whoever is cancelled may have ended long ago."""
    words, names = list[str](), iter("abcdefghijklmnopqrstuvw")
    for name in names:
        words.append(f"{name}{draw.randrange(1, 7)}")
        words += ["."] * draw.choice([0, 1, 1, 2])
        if draw.random() < 0.2:
            words.append(f"-{draw.choice('abcdefgh')}")
    return " ".join([*words, *["."] * 25])


def _case(label: str, places: int, patience: int, story: str, visible: bool = False) -> Case:
    return Case(label, {"places": places, "patience": patience, "story": story}, visible)


EXERCISE = OneStep()
