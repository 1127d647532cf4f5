"""The table of syntax: every class of `ast` has a row, and without its row a class is refused."""

from __future__ import annotations

import ast
import inspect
import textwrap
from types import MappingProxyType

import pytest

from sharedstate.interleave import Scenario
from sharedstate.interleave.access.answers import HANDLERS, PERFORM
from sharedstate.interleave.rewrite import nodes
from sharedstate.interleave.rewrite.twin import Program

A_GLOBAL = None


class State:
    """Something to look at."""

    def __init__(self) -> None:
        self.n = 0


def adds(state: State) -> int:
    state.n += 1
    if state.n:
        assert state.n
    return state.n


def everything(s, one=1, *rest, key=None, **more):
    """As much of the grammar as one function can hold; it is rewritten, and never run."""
    global A_GLOBAL
    import os
    from os import path as renamed

    number: int = -one + (~one) - (+one) * 2 / 3 // 4 % 5 @ 6**7 << 8 >> 9 & 10 | 11 ^ 12
    number += 1
    flag = (not one and key is None) or one is not key
    tests = [1 < 2 <= 3 > 2 >= 1 != 4 == 4, 1 in rest, 1 not in rest]
    A_GLOBAL, *others = {**more}, {*rest}, {1: 2}
    text = f"{one!r:>{number}}"
    lists = [[x for x in rest if x], {x + 1 for x in rest}, {x: x for x in rest}, (x for x in rest)]
    more["a"] = s.n if flag else rest[1:2]
    del more["a"]
    if (walrus := one) > 2:
        pass
    while walrus:
        break
    for item in rest:
        print(item)
        continue
    try:
        raise ValueError from None
    except ValueError as error:
        print(error, *rest, key=key, **more)
    try:
        pass
    except* OSError:
        pass
    with open(text) as file:
        assert file

    class Inner:
        """A class body."""

    def nested(a, /, b):
        nonlocal number
        number = yield from b
        yield (lambda: a)

    async def waits():
        async for _ in s:
            await s
        async with s:
            pass

    match s:
        case 1 | None:
            pass
        case [a, *b]:
            pass
        case {"k": v, **kw}:
            pass
        case State(n=1) as whole:
            pass
    return os, renamed, others, tests, lists, Inner, nested, waits, item, a, b, v, kw, whole


HERE = ast.parse(textwrap.dedent(inspect.getsource(everything))).body[0]
CLASSES = sorted({type(node).__name__ for node in ast.walk(HERE)})
# Rows of later Pythons, and of what stands in no function.
ELSEWHERE = {"TypeAlias", "TypeVar", "ParamSpec", "TypeVarTuple", "TemplateStr", "Interpolation"}


def test_every_class_of_syntax_has_a_row() -> None:
    assert nodes.unnamed() == []


def test_a_class_that_is_not_in_the_table_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ast, "Teleport", type("Teleport", (ast.stmt,), {}), raising=False)
    assert nodes.unnamed() == ["Teleport"]


def test_no_class_stands_in_two_rows() -> None:
    names = [name for row in nodes.ROWS.values() for name in row.split()]
    assert len(names) == len(set(names))
    assert not set(names) & nodes.ABSTRACT


def test_a_row_is_found_by_the_class_of_a_node() -> None:
    module = ast.parse("with a as b: c[d] = {e: f for e in g}")
    found = {type(node).__name__: nodes.treatment(node) for node in ast.walk(module)}
    assert found["With"] == found["Subscript"] == found["DictComp"] == nodes.STEP
    assert found["Name"] == nodes.NAME
    assert found["comprehension"] == nodes.PART
    assert found["Module"] == nodes.NEVER


def without(name: str) -> MappingProxyType:
    """The table with a class taken out."""
    return MappingProxyType({key: how for key, how in nodes.TREATMENT.items() if key != name})


def test_the_sample_holds_every_class_that_has_a_row() -> None:
    rows = {name for name, how in nodes.TREATMENT.items() if how != nodes.NEVER}
    assert rows - set(CLASSES) == ELSEWHERE
    assert Program(HANDLERS, PERFORM).twin(everything) is not None


@pytest.mark.parametrize("name", CLASSES)
def test_without_its_row_a_class_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "TREATMENT", without(name))
    assert nodes.unnamed() == [name]
    program = Program(HANDLERS, PERFORM)
    assert program.twin(everything) is None
    assert list(program.opaque) == [f"everything: it uses {name}, which is not known"]


def test_what_is_refused_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    def explored() -> str:
        return str(Scenario(State, {"a": adds, "b": adds}, never=lambda s, answers: s.n == 1).explore(seconds=10))

    assert explored().startswith("broken")
    monkeypatch.setattr(nodes, "TREATMENT", without("AugAssign"))
    text = explored()
    assert text.startswith("not instrumented"), text
    assert "AugAssign, which is not known" in text
