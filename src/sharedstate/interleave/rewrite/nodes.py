"""Every class of Python's syntax tree, and what the rewriter does with it.

Default deny: what stands in no row is refused, and a test walks through `ast` and fails on a class without a row,
on every Python. A row says

* STEP: what the node does to an object's content, or the code that it may run, is asked for;
* PLAIN: the node itself reads and changes nothing that others see; its parts are rewritten;
* SCOPE: a function of its own: it stays as written and is rewritten when it is called; what is worked out where it
  stands (decorators, defaults) is rewritten here;
* NAME: a local name stays, a global or a captured one that somebody writes is asked for;
* PART: read with the node that it belongs to;
* NEVER: stands in no function's body.
"""

from __future__ import annotations

import ast
from types import MappingProxyType

from sharedstate.interleave.sites import Unsupported

STEP, PLAIN, SCOPE, NAME, PART, NEVER = "step", "plain", "scope", "name", "part", "never"

ROWS = MappingProxyType({
    STEP: (
        "Attribute Subscript Call BinOp UnaryOp BoolOp Compare IfExp FormattedValue Starred Dict Set "
        "ListComp SetComp DictComp GeneratorExp Await Yield YieldFrom Interpolation "
        "Assign AugAssign AnnAssign Delete If While For AsyncFor With AsyncWith Match Assert Import ImportFrom "
        "ClassDef Try TryStar NamedExpr"
    ),
    PLAIN: "Constant Tuple List Slice JoinedStr TemplateStr Expr Return Raise Pass Break Continue Global Nonlocal",
    SCOPE: "FunctionDef AsyncFunctionDef Lambda TypeAlias",
    NAME: "Name",
    PART: (
        "comprehension ExceptHandler arguments arg keyword alias withitem match_case MatchValue MatchSingleton "
        "MatchSequence MatchMapping MatchClass MatchStar MatchAs MatchOr TypeVar ParamSpec TypeVarTuple "
        "Load Store Del And Or Add Sub Mult MatMult Div Mod Pow LShift RShift BitOr BitXor BitAnd FloorDiv "
        "Invert Not UAdd USub Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn"
    ),
    NEVER: "Module Interactive Expression FunctionType TypeIgnore",
})
TREATMENT = MappingProxyType({name: how for how, names in ROWS.items() for name in names.split()})
# Classes that are there for old code alone: nothing parses to them.
ABSTRACT = frozenset(
    "AST mod stmt expr expr_context boolop operator unaryop cmpop excepthandler pattern type_ignore type_param slice "
    "Index ExtSlice Suite AugLoad AugStore Param Num Str Bytes NameConstant Ellipsis".split()
)


def treatment(node: ast.AST) -> str:
    """What is done with a node; an empty string for a class that no row names: it is refused."""
    return TREATMENT.get(type(node).__name__, "")


def check(tree: ast.AST) -> None:
    """Raise Unsupported for a node of a class that no row names, wherever it stands below `tree`."""
    for node in ast.walk(tree):
        if treatment(node) in ("", NEVER):
            raise Unsupported(f"{type(node).__name__}, which is not known")


def unnamed() -> list[str]:
    """The classes of this Python's `ast` that no row names."""
    classes = (value for value in vars(ast).values() if isinstance(value, type) and issubclass(value, ast.AST))
    return sorted({cls.__name__ for cls in classes} - set(TREATMENT) - ABSTRACT)
