"""The second witness is tested: the front end is made blind for one class of syntax at a time, and it notices.

A blind handler leaves the node as it was written, with everything below it: what it does is then no step. The search
alone would call the program proved.
"""

from __future__ import annotations

import linecache
from types import MappingProxyType
from typing import Any

import pytest

from sharedstate.interleave import Scenario, explore
from sharedstate.interleave.rewrite import nodes
from sharedstate.interleave.rewrite.expressions import Expressions
from sharedstate.interleave.rewrite.statements import Statements

STATE = """
N = 0

class State:
    def __init__(self):
        global N
        N = 0
        self.n, self.items, self.table, self.log = 0, [1], {"k": 1}, []
    def __enter__(self):
        return self.n
    def __exit__(self, *details):
        pass

class Kept:
    box = [0]

def setup():
    Kept.box[0] = 0
    return State()
"""
CHANGES = "s.n = 5; s.items[0] = 7; s.table['k'] = 3; Kept.box[0] = 8"
# For each class: what the first thread does; the second one does CHANGES, or the same if there is no other way.
PROGRAMS = MappingProxyType({
    "Attribute": "return s.n",
    "Subscript": "kept = s.items; return kept[0]",
    "Call": "kept = s.items; return max(kept)",
    "BinOp": "kept = s.items; return kept + [0]",
    "UnaryOp": "kept = s; return -kept.n",
    "BoolOp": "kept = s; return kept.n or 4",
    "Compare": "kept = s.items; return kept == [7]",
    "IfExp": "kept = s; return 1 if kept.n else 2",
    "JoinedStr": "kept = s.items; return f'{kept}'",
    "Starred": "kept = s.items; return (*kept, 0)",
    "Dict": "kept = s.table; return {**kept}",
    "Set": "kept = s.items; return {*kept}",
    "ListComp": "kept = s.items; return [v for v in kept]",
    "SetComp": "kept = s.items; return {v for v in kept}",
    "DictComp": "kept = s.items; return {v: v for v in kept}",
    "GeneratorExp": "kept = s.items; return tuple(v for v in kept)",
    "NamedExpr": "kept = s; return (v := kept.n)",
    "Name": "return N",
    "Assign": "v = s.n; return v",
    "AnnAssign": "v: int = s.n; return v",
    "AugAssign": "s.n += 1",
    "Delete": "del s.log",
    "If": "if s.n:\n        return 1",
    "While": "while s.n:\n        return 1",
    "For": "for v in s.items:\n        return v",
    "With": "with s as v:\n        return v",
    "Match": "match s.items:\n        case [7]: return 1",
    "Assert": "assert s.n == 0",
    "Raise": "raise ValueError(s.n)",
    "Try": "try:\n        return s.n\n    finally:\n        pass",
    "TryStar": "v = 0\n    try:\n        v = s.n\n    except* ValueError:\n        pass\n    return v",
    "FunctionDef": "def inner(v=s.n): return v\n    return inner()",
    "Lambda": "return (lambda v=s.n: v)()",
    "ClassDef": "class Inner(type(f'{s.n}', (), {})): pass\n    return Inner.__base__.__name__",
    "YieldFrom": "return tuple(all_of(s))",
})  # fmt: skip
HELPER = "def all_of(s):\n    yield from s.items\n"
# The other thread makes its change by what is not blind.
OTHER = MappingProxyType({
    "Attribute": "setattr(s, 'n', 5)", "Name": "globals()['N'] = 4", "AugAssign": "s.n += 1",
    "Delete": "return hasattr(s, 'log')",
})  # fmt: skip
# What there is a handler for and needs no test: what it does is done by the handlers of its parts.
PARTS = frozenset({
    "Import", "ImportFrom", "AsyncFor", "AsyncWith", "Await", "Yield", "FormattedValue", "Interpolation", "Expr",
    "AsyncFunctionDef", "Collect",
})  # fmt: skip


def blind(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave nodes of this class as they are."""
    if hasattr(Expressions, f"visit_{name}"):
        monkeypatch.setattr(Expressions, f"visit_{name}", lambda self, node: node)
    if hasattr(Statements, f"_{name}"):
        monkeypatch.setattr(Statements, f"_{name}", lambda self, node, expressions: [node])


def scenario(name: str) -> Scenario:
    """The program for a class."""
    text = f"{STATE}\n{HELPER}\ndef one(s):\n    {PROGRAMS[name]}\n\ndef other(s):\n    {OTHER.get(name, CHANGES)}\n"
    filename = f"<blind {name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope: dict[str, Any] = {"__name__": "blind"}
    exec(compile(text, filename, "exec"), scope)
    threads = {"one": scope["one"], "other": scope["other"]}
    return Scenario(scope["setup"], threads, observe=lambda s: (s.n, scope["N"]), exceptions="answers")


def check(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Proved with open eyes; blind, the search says so too, and the witness does not."""
    monkeypatch.setattr(explore, "WITNESS_SECONDS", 1.0)  # here it is the witness that is tested
    seeing = scenario(name).explore()
    assert seeing.verdict == "proved", str(seeing)
    blind(name, monkeypatch)
    alone = scenario(name).explore(witness=False)
    if name == "GeneratorExp":  # it is a function of its own, and is missed as one
        assert alone.verdict == "not instrumented", str(alone)
        return
    assert alone.verdict in ("proved", "proved if"), str(alone)
    assert len(alone.outcomes) < len(seeing.outcomes), f"{name}: {alone.outcomes}"
    caught = scenario(name).explore()
    assert caught.verdict != "proved", str(caught)
    if alone.verdict == "proved":
        assert caught.verdict == "not proved" and "the second witness saw what the search did not" in str(caught)


@pytest.mark.parametrize("name", ["Attribute", "Subscript", "AugAssign", "JoinedStr", "If", "ListComp"])
def test_a_blind_front_end_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check(name, monkeypatch)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_every_blind_front_end_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check(name, monkeypatch)


def test_every_handler_of_the_front_end_has_a_program() -> None:
    handlers = {name.removeprefix("visit_") for name in vars(Expressions) if name.startswith("visit_")}
    handlers |= {name[1:] for name in vars(Statements) if name[1:] in nodes.TREATMENT}
    assert handlers - PARTS <= set(PROGRAMS)
    assert not set(PROGRAMS) - set(nodes.TREATMENT)
