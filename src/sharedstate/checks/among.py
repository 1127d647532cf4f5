"""The answer among other calls: what it keeps from one call to the next is, in this course, the bug.

A case more for every exercise whose answer is called. The cases run again, and between their calls stand others, of
equal and of other shapes; what was handed out must stay as it was, what was handed in too, each result must have
memory of its own, and an object or an argument may lie where a dead one lay, or be the one of the last call with other
contents. The values go to the exercise's own judge.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from . import contents
from .types import AnswerProblem, Case, Exercise, Verdict

LABEL = "among other calls"
LONGEST = 1600  # characters of a case's inputs: a longer one is not run again
MOST_CASES = 12
MOST_CALLS = 100  # calls that get others beside them
MOST_KEPT = 300  # results that are held
MOST_TRIES = 60  # objects made in the hope for an old address
TOLD = 300
OWN = ("same-memory", "changes-later", "changes-its-input", "keeps-state")
KEPT = ("Case '{label}' was right, and is wrong when other calls come in between: something is kept from one call "
        "to the next. Found then: {found}")
TWICE = ("same-memory", "Two calls with equal arguments were handed the same list, dict or tensor: whoever changes one "
         "changes the other's as well. Make a new one in each call.")
LENT = ("same-memory", "The result lies in the caller's own memory: it is a view of an argument. What the caller writes "
        "there later changes the result. Hand out a copy.")
IN_PLACE = ("keeps-state", "The same object came in again with other contents, and got another answer than a new "
            "object with these contents: something is kept under id(), or for the object that was seen last. What an "
            "argument holds may change between two calls.")


def all_cases(exercise: Exercise, seed: int) -> list[Case]:
    """Return the exercise's cases for a seed, and the one in which they come among others."""
    cases = exercise.cases(seed)
    again = [case for case in cases if exercise.among(case) and len(json.dumps(dict(case.inputs))) <= LONGEST]
    again = again[:MOST_CASES]
    return [*cases, Case(LABEL, {"cases": [case.to_json() for case in again]})] if again else cases


def run_among(exercise: Exercise, answer: object, case: Case) -> object:
    """Return what `exercise.run` returns for each of the cases among others: {"values": one for each}."""
    return {"values": _crossed(exercise, answer, [Case.from_json(told) for told in case["cases"]])}


def judge_among(exercise: Exercise, case: Case, value: object) -> Verdict:
    """Return the first wrong verdict of the cases among others, named anew."""
    cases = [Case.from_json(told) for told in case["cases"]]
    values = value.get("values") if type(value) is dict else None
    if type(values) is not list or len(values) not in (0, len(cases)):
        return exercise.wrong("unusable", "Nothing could be read of the calls among others.")
    for one, found in zip(cases, values, strict=False):
        verdict = exercise.judge(one, found)
        if not verdict.ok:
            said = KEPT.format(label=one.label, found=verdict.message)
            return exercise.wrong("keeps-state", said, schedule=verdict.schedule)
    return exercise.right()


def _crossed(exercise: Exercise, answer: object, cases: list[Case]) -> list[object]:
    """Run the cases twice: to note the calls, then with other calls in between. [] for what is never called."""
    functions = [answer] if callable(answer) else [*answer] if isinstance(answer, (list, tuple)) else []
    if not functions or not all(map(callable, functions)):
        return []
    book = Book(exercise.given_pure, exercise.own_result)
    for case in cases:
        exercise.run(_wrapped(answer, functions, book), replace(case, inputs=copy.deepcopy(dict(case.inputs))))
    book.noting = False
    values = [_again(exercise, _wrapped(answer, functions, book), case) for case in cases]
    book.require_kept()
    return values


def _again(exercise: Exercise, answer: object, case: Case) -> object:
    try:
        return exercise.run(answer, case)
    except Exception as problem:
        if isinstance(problem, AnswerProblem) and problem.reason in OWN:
            raise
        said = problem.message if isinstance(problem, AnswerProblem) else f"{type(problem).__name__}: {problem}"
        raise AnswerProblem("keeps-state", KEPT.format(label=case.label, found=said[:TOLD])) from problem


def _wrapped(answer: object, functions: list[Any], book: Book) -> object:
    made = [_class(one, book) if inspect.isclass(one) else _function(one, n, book) for n, one in enumerate(functions)]
    return made[0] if callable(answer) else tuple(made)


@dataclass
class Book:
    """The calls that were seen, and the results that are still held.

    pure: whether functions among the arguments may be called more often; own: whether a result may be no view of an
    argument; calls: (function, arguments, form of the
    result); lives: of each object, [arguments of __init__, *method calls]; made_of: the arguments of the newest object;
    companion: the object that moves beside it, what it has still to do, and what it was made of.
    """

    pure: bool = False
    own: bool = False
    noting: bool = True
    calls: list[tuple[Callable, tuple, object]] = field(default_factory=list)
    lives: list[list[tuple[str, tuple]]] = field(default_factory=list)
    kept: list[tuple[object, object, frozenset[int], object]] = field(default_factory=list)
    turn: int = 0
    made_of: tuple = ()
    companion: tuple[Any, Iterator[tuple[str, tuple]], tuple] | None = None

    def others(self, function: Callable, given: tuple) -> list[tuple[Callable, tuple]]:
        """Return calls to put beside this one: its own with other numbers, one of equal form, one of another form."""
        self.turn += 1
        twins = [(function, twin)] if (twin := contents.twin(given)) is not None else []
        order = [self.calls[(self.turn + n) % len(self.calls)] for n in range(len(self.calls))]
        form = next((shape for f, args, shape in self.calls if f is function and contents.same(args, given)), None)
        different = [call for call in order if not contents.same(call[1], given)]
        like = [call for call in different if call[0] is function and call[2] == form][:2]
        unlike = [call for call in different if call[2] != form or call[0] is not function][:2]
        return twins + [(called, args) for called, args, _ in (*like, *unlike)]

    def keep(self, found: object, given: object) -> None:
        """Hold a result. Raises AnswerProblem("same-memory") where it shares memory with one of another call."""
        if self.own and contents.memory(found) & contents.memory(given):
            raise AnswerProblem(*LENT)
        mine = contents.memory(found) - contents.memory(given)
        for _, _, theirs, other in self.kept:
            if mine & theirs and not contents.same(other, given):
                said = ("Two calls with different arguments were handed the same memory: the later result overwrites "
                        "the earlier one. Make a new one in each call.")
                raise AnswerProblem("same-memory", said)
        self.kept = [*self.kept[-MOST_KEPT:], (found, contents.copied(found), frozenset(mine), contents.copied(given))]

    def require_kept(self) -> None:
        """Raise AnswerProblem("changes-later") when a result has changed since it was handed out."""
        if any(not contents.same(now, then) for now, then, _, _ in self.kept):
            said = "A result that was handed out earlier has changed since. Make a new one in each call."
            raise AnswerProblem("changes-later", said)


def inner(function: object) -> object:
    """Return the learner's own function where this is one with other calls beside it."""
    mine = getattr(getattr(function, "__code__", None), "co_filename", "") == __file__
    return getattr(function, "__wrapped__", function) if mine else function


def _function(function: Any, number: int, book: Book) -> Callable:
    """Return the function with its calls noted, or with others beside them."""

    @functools.wraps(function, updated=())
    def asked(*given: Any, **named: Any) -> Any:
        if named or book.turn > MOST_CALLS or not all(map(contents.plain, given)):
            found = function(*given, **named)
            if book.pure and not named:
                _require_contents(function, given)
            book.kept.append((found, contents.copied(found), frozenset(), given))
            return found
        if book.noting:
            before, found = contents.copied(given), function(*given)
            book.calls.append((function, before, contents.form(found)))
            return found
        others = book.others(function, given)
        for call in others:
            if call[0] is not function:
                _asked_and_dropped(book, *call)
        old = [_asked_and_dropped(book, *call) for call in others if call[0] is function]
        mine = _at_old_addresses(given, old)
        before = contents.copied(mine)
        found = function(*mine)
        if not contents.same(mine, before):
            said = "A call changes what it is given. That belongs to the caller: work on a copy."
            raise AnswerProblem("changes-its-input", said)
        book.keep(found, mine)
        _require_own(function, given, found, contents.memory(mine))
        for call in others[:1]:
            _asked_and_dropped(book, *call)
        _require_contents(function, given)
        return found

    return asked


def _require_own(function: Callable, given: tuple, found: object, lent: frozenset[int]) -> None:
    """Ask once more for the same. Raises AnswerProblem("same-memory") where the first result is handed out again.

    lent: the memory of the arguments, which may be in the result.
    """
    mine = contents.memory(found) - lent
    if mine:
        again = contents.copied(given)
        if mine & contents.memory(function(*again)):
            raise AnswerProblem(*TWICE)


def _require_contents(function: Callable, given: tuple) -> None:
    """Ask with objects whose contents change between two calls. Raises AnswerProblem where the old ones still count.

    An argument that is refused, and an answer that is another one each time, prove nothing.
    """
    for place, other in enumerate(contents.twin(given) or ()):
        if _stale(function, contents.copied(given), place, other):
            raise AnswerProblem(*IN_PLACE)


def _stale(function: Callable, mine: tuple, place: int, other: Any) -> bool:
    """Whether the answer to arguments, one of them changed in place, is another one than to new objects like them."""
    with contextlib.suppress(Exception):
        function(*mine)
        if contents.changed_in_place(mine[place], other):
            new = contents.copied(mine)
            found, wanted, again = function(*mine), function(*new), function(*contents.copied(new))
            return contents.same(wanted, again) and not contents.same(found, wanted)
    return False


def _asked_and_dropped(book: Book, function: Callable, given: tuple) -> list[int]:
    """Call on copies, and let go of them; return the address of each."""
    mine = tuple(map(contents.renewed, contents.copied(given)))
    with contextlib.suppress(Exception):
        found = function(*mine)
        problem = None
        try:
            book.keep(found, mine)
        except AnswerProblem as same:
            problem = same
        if problem:
            book.kept.append((0, 1, frozenset(), None))  # it will be said at the end
    return [*map(id, mine)]


def _at_old_addresses(given: tuple, calls: list[list[int]]) -> tuple:
    """Return copies of arguments, each where that of an earlier call lay, if Python gives that address again."""
    mine = []
    for place, one in enumerate(given):
        old, made = {call[place] for call in calls}, [_shell(one)]
        while old and not isinstance(one, (bool, type(None))) and id(made[-1]) not in old and len(made) < MOST_TRIES:
            made.append(_shell(one))
        calls = [call for call in calls if call[place] == id(made[-1])] or calls
        mine.append(_filled(made[-1]))
    return tuple(mine)


def _shell(one: Any) -> Any:
    """Return a copy whose parts are still those of the other: so nothing else is made on the way."""
    return one.copy() if type(one) in (dict, list, set) else contents.renewed(contents.copied(one))


def _filled(one: Any) -> Any:
    """Give such a copy parts of its own."""
    for key, value in one.items() if type(one) is dict else enumerate(one) if type(one) is list else ():
        one[key] = contents.copied(value)
    return one


def _class(kind: Any, book: Book) -> type:
    """Return the class with its objects' lives noted, or with other objects beside them and dead ones beneath."""
    names = [name for name in dir(kind) if not name.startswith("_") and inspect.isfunction(getattr(kind, name, None))
             and not inspect.iscoroutinefunction(getattr(kind, name))]
    body: dict[str, Any] = {name: _method(kind, name, book) for name in names}
    body |= {"__init__": _noted_init(kind, book), "__new__": _new_after_dead(kind, book), "__module__": kind.__module__,
             "__doc__": kind.__doc__, "__slots__": (), "__qualname__": kind.__qualname__}
    return type(kind)(kind.__name__, (kind,), body)


def _noted_init(kind: Any, book: Book) -> Callable:
    def __init__(self: Any, *given: Any, **named: Any) -> None:
        if book.noting and not named and all(map(contents.plain, given)):
            book.lives.append([("__init__", contents.copied(given))])
        book.made_of = given
        kind.__init__(self, *given, **named)

    return __init__


def _new_after_dead(kind: Any, book: Book) -> Callable:
    def __new__(cls: type, *given: Any, **named: Any) -> Any:
        def made() -> Any:
            return object.__new__(cls) if kind.__new__ is object.__new__ else kind.__new__(cls, *given, **named)

        old = {_lived(kind, life) for life in book.lives[:4]} if not book.noting else set()
        found = [made()]
        while old and id(found[-1]) not in old and len(found) < MOST_TRIES:
            found.append(made())
        return found[-1]

    return __new__


def _lived(kind: Any, life: list[tuple[str, tuple]]) -> int:
    """Make an object, let it live a noted life, and drop it; return where it lay."""
    one = kind(*contents.copied(life[0][1]))
    for name, given in life[1:]:
        with contextlib.suppress(Exception):
            getattr(one, name)(*contents.copied(given))
    return id(one)


def _method(kind: Any, name: str, book: Book) -> Callable:
    plain = getattr(kind, name)

    @functools.wraps(plain, updated=())
    def asked(self: Any, *given: Any, **named: Any) -> Any:
        if book.noting:
            if book.lives and not named and all(map(contents.plain, given)):
                book.lives[-1].append((name, contents.copied(given)))
        else:
            _companion_moves(kind, book)
        return plain(self, *given, **named)

    return asked


def _companion_moves(kind: Any, book: Book) -> None:
    """Let another object of the class take the next step of a noted life: one made of other arguments, if there is."""
    if book.companion is None or contents.same(book.companion[2], book.made_of):
        lives = [life for life in book.lives if not contents.same(life[0][1], book.made_of)] or book.lives
        book.companion = None
        if lives:
            book.turn += 1
            (_, given), *steps = lives[book.turn % len(lives)]
            book.companion = kind(*contents.copied(given)), iter(steps), given
    if book.companion is not None:
        one, steps, _ = book.companion
        name, given = next(steps, ("", ()))
        with contextlib.suppress(Exception):
            if name:
                getattr(one, name)(*contents.copied(given))
        book.companion = book.companion if name else None
