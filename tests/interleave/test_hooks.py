"""Special methods that C enters: each counts its calls, two threads lose a count; the search alone proves nothing."""

from __future__ import annotations

import pathlib
import re
import textwrap

import pytest

from tests.interleave.test_attacks import room_of

TABLE = pathlib.Path(__file__).with_name("attacks") / "hooks" / "methods.txt"
SAMPLE = 16  # every sixteenth in the default tier
PROGRAM = '''
import array, bisect, collections, contextvars, copy, functools, heapq, io, itertools, json, math, numpy, operator
import os, pathlib, pickle, pprint, random, re, statistics, struct, time, types, weakref
P = collections.namedtuple("P", "a b", defaults=(0, 0))
class C:
    n = 0
{method}
KEEP = C()
def setup(): C.n = 0
def a_b(x):
    a, b = x
def a_b_one(x):
    a, = x
def slice_set(x):
    s = [0]
    s[:] = x
def fs(x): return f"{list(x)}"
def star(x): return (lambda *a: a)(*x)
def f_kw(**k): return k
def delitem(s, i): del s[i]
def match_value(x):
    match x:
        case 5: return 1
def match_prop(x):
    match x:
        case C(p=1): return 1
def bool_while(x):
    while x: break
def with_(x):
    with x: pass
def go(s):
    {expression}
    return None
threads = {"a": go, "b": go}
def never(s, an): return C.n < {serial}
'''


def programs() -> list[object]:
    """Name and source of every program, one for each expression; the question is left open."""
    found: list[object] = []
    for part in re.split(r"(?m)^### ", TABLE.read_text(encoding="utf-8"))[1:]:
        name, _, rest = part.partition("\n")
        method, _, expressions = rest.partition("\n---\n")
        for expression in filter(None, expressions.split("\n")):
            source = PROGRAM.replace("{method}", textwrap.indent(method, "    ")).replace("{expression}", expression)
            marks = [] if len(found) % SAMPLE == 0 else [pytest.mark.exhaustive]
            found.append(pytest.param(f"hook_{len(found)}", source, id=f"{name}: {expression}", marks=marks))
    return found


def serial(source: str) -> int:
    """How often the method is called where one thread comes after the other."""
    scope: dict = {"__name__": "plain"}
    exec(source.replace("{serial}", "0"), scope)
    scope["setup"]()
    scope["go"](None)
    scope["go"](None)
    return scope["C"].n


@pytest.mark.parametrize(("name", "source"), programs())
def test_a_lost_count_is_never_proved(name: str, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    count = serial(source)
    assert count > 1, "the expression does not enter the method"
    text = source.replace("{serial}", str(count))
    result = room_of(name, text, monkeypatch).explore(seconds=60, witness=False)
    assert result.verdict in ("broken", "raised", "proved if"), str(result)
