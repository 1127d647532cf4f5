"""What an answer keeps from one call to the next is found in every exercise: right answers, spoilt five ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharedstate.checks import Registry, audit
from sharedstate.checks.among import LABEL, all_cases

BUFFER = """
_plain, _room = {name}, {{}}
def {name}(*given):
    found = _plain(*given)
    return _room.setdefault((found.shape, found.dtype), found.clone()).copy_(found)
"""
LIST = """
_plain, _room = {name}, []
def {name}(*given):
    _room[:] = _plain(*given)
    return _room
"""
BY_ID = """
_plain, _known = {name}, {{}}
def {name}(*given):
    key = tuple(map(id, given))
    if key not in _known:
        _known[key] = _plain(*given)
    return _known[key]
"""
DEAD = """
_state = {{}}
class _Plain({name}):
    pass
class {name}(_Plain):
    def __init__(self, *given):
        if id(self) not in _state:
            _Plain.__init__(self, *given)
        self.__dict__ = _state.setdefault(id(self), self.__dict__)
"""
ONE_FOR_ALL = """
_plain = {name}
_first = []
def {name}(*given):
    _first.append(given)
    return _plain(*_first[-1 if len(_first) % 5 else -2])
"""
KINDS = {
    "buffer": (BUFFER, ("04.1", "04.4", "05.2", "05.3", "07.1")), "list": (LIST, ("06.3", "05.4")),
    "by id": (BY_ID, ("03.4", "03.6", "04.1", "04.4", "05.4", "06.3", "06.5")),
    "dead": (DEAD, ("02.3", "02.5", "06.1", "07.2", "07.3")),
    "one for all": (ONE_FOR_ALL, ("01.5", "03.2", "04.5", "07.5")),
}
SPOILT = [(kind, exercise_id) for kind, (_, ids) in KINDS.items() for exercise_id in ids]


@pytest.mark.parametrize(("kind", "exercise_id"), SPOILT, ids=lambda one: one)
def test_an_answer_that_keeps_something_between_calls_is_refused(kind: str, exercise_id: str) -> None:
    bank = audit.read_bank(Registry().room(exercise_id))
    spoilt = bank.solution + KINDS[kind][0].format(name=bank.exercise.answer)
    verdict = audit.judge_source(bank, kind, spoilt, 1)
    assert not verdict.ok, "the answer keeps something from one call to the next, and passed"
    assert audit.judge_source(bank, "solution", bank.solution, 1).ok


def test_the_case_among_others_is_the_last_and_says_so() -> None:
    one = Registry().exercise("04.1")
    cases = all_cases(one, 3)
    assert cases[-1].label == LABEL and cases[:-1] == one.cases(3)
    assert not any(case.label == LABEL for case in all_cases(Registry().exercise("02.2"), 3))


def test_a_wrong_size_from_the_last_call_is_said_to_be_kept() -> None:
    bank = audit.read_bank(Registry().room("05.1"))
    kept = next(one for one in bank.wrong if one.reason == "keeps-state")
    assert "other calls come in between" in audit.judge_source(bank, "kept", kept.source, 2).message
    assert Path(bank.exercise.__class__.__module__).name
