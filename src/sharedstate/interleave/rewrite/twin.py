"""The rewritten twins of a learner's functions, made when a function is first called."""

from __future__ import annotations
import __future__

import ast
import copy
import dis
import hashlib
import itertools
import textwrap
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access.handled import relay, settled
from sharedstate.interleave.access.registry import ATOMIC, STILL
from sharedstate.interleave.rewrite.nodes import check
from sharedstate.interleave.rewrite.scope import Scope
from sharedstate.interleave.rewrite.statements import Statements
from sharedstate.interleave.sites import Dropped, NeedsLoop, Site, Unsupported
from sharedstate.interleave.source.lookup import Found, find, is_followed_library, is_user_code

FLAGS = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
GENERATOR, ASYNCHRONOUS = 0x20, 0x80 | 0x200  # generator; coroutine and asynchronous generator
ASKED = object()
PLAIN_OPERANDS = frozenset(
    ATOMIC - {types.ModuleType, property, types.GenericAlias} | {types.FunctionType, types.MethodType}
)
# What rewritten code needs by name; `ss_step` is the request itself where it is a call.
GIVEN = MappingProxyType({
    "ss_step": None, "ss_atoms": PLAIN_OPERANDS, "ss_type": type, "ss_slice": slice, "ss_set": set,
    "ss_still": frozenset(STILL), "ss_forever": itertools.repeat(ASKED), "ss_asked": ASKED, "ss_dropped": Dropped,
    "ss_BaseException": BaseException, "ss_relay": relay, "ss_settled": settled,
})  # fmt: skip


@dataclass(frozen=True)
class Twin:
    """The rewritten code of one function, and the globals that hold objects it can reach."""

    code: types.CodeType
    roots: tuple[str, ...]
    generator: bool


@dataclass
class Program:
    """Everything known about the code under test: sites, twins, and what qualifies a verdict.

    `handlers` answer requests and `performers` do the accesses of steps, by what is asked.
    `yields`: requests are yields, and every function becomes a generator; otherwise they are calls. `written` are the
    globals and `rebound` the names of methods that somebody assigns, `forced` the sites at which an object turned out
    to be shared that nobody knew of: when one of these grows (`revision`), what was explored before is explored anew.
    """

    handlers: Mapping[str, Callable[..., Any]]
    performers: Mapping[str, Callable[..., Any]]
    yields: bool = True
    follow: tuple[str, ...] = ()
    sites: list[Site] = field(default_factory=list)
    twins: dict[types.CodeType, Twin | None] = field(default_factory=dict)
    sources: dict[types.CodeType, str] = field(default_factory=dict)
    written: set[tuple[int, str]] = field(default_factory=set)
    rebound: set[str] = field(default_factory=set)
    forced: set[int] = field(default_factory=set)
    built: dict[types.FunctionType, Callable[..., Any]] = field(default_factory=dict)
    assumptions: dict[str, None] = field(default_factory=dict)
    blocking: dict[str, None] = field(default_factory=dict)
    more: dict[tuple, Site] = field(default_factory=dict)
    opaque: dict[str, None] = field(default_factory=dict)
    layouts: dict[type, str] = field(default_factory=dict)
    free: set[types.FunctionType] = field(default_factory=set)
    bodies: dict[types.FunctionType, tuple[Twin, Callable[..., Any]] | None] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    looping: bool = False  # there are `while` loops: what they look at is always noted
    by_id: dict[int, Twin | None] = field(default_factory=dict)
    trees: dict[str, ast.Module] = field(default_factory=dict)
    accessors: dict[types.CodeType, frozenset[str] | None] = field(default_factory=dict)
    fragile: dict[tuple[str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """The first site starts a thread."""
        code = Program.__post_init__.__code__
        self.sites.append(Site(0, "call", "thread", 0, "", "", {}, self.handlers["call"], no_step, code))

    @property
    def revision(self) -> int:
        """Grows with what turns out to be shared."""
        return len(self.written) + len(self.rebound) + len(self.forced) + self.looping

    def write_global(self, scope: dict, name: str) -> None:
        """Somebody writes this global: every read of it is a step."""
        self.written.add((id(scope), name))

    def rebind(self, name: str) -> None:
        """Somebody assigns to an attribute that is a method or of a class or module: to look it up is a step."""
        self.rebound.add(name)

    def block(self, what: str, why: str) -> None:
        """Something that could reach shared state was not followed: a proof is one only if that does no harm."""
        self.blocking.setdefault(f"{what} is taken as one step: {why}")

    @property
    def begin(self) -> int:
        """The number of the site that calls a thread's body."""
        return 0

    def follows(self, code: types.CodeType) -> bool:
        """True for a notebook cell, a learner's file, and what is followed of the libraries."""
        return is_user_code(code) or is_followed_library(code, self.follow)

    def assume(self, text: str) -> None:
        """Remember a sentence that qualifies the verdict, once."""
        self.assumptions.setdefault(text)

    def twin(self, function: types.FunctionType) -> Twin | None:
        """The twin of a learner's function; None for library code and for functions without source.

        Raises Unsupported if the function needs the thread back end.
        """
        code = function.__code__
        try:
            return self.by_id[id(code)]  # to hash a code object takes long
        except KeyError:
            twin = self.twins[code] if code in self.twins else self._make(function) if self.follows(code) else None
            if code not in self.twins:
                self.twins[code] = twin
                self.by_id[id(code)] = twin
            return twin

    def _make(self, function: types.FunctionType) -> Twin | None:
        """Find, rewrite and compile."""
        code = function.__code__
        found = find(code, self.trees)
        if found is None:
            self.opaque.setdefault(f"{function.__qualname__}: its source was not found")
            self.block(function.__qualname__, "its source was not found")
            return None
        if self.yields and code.co_flags & ASYNCHRONOUS:
            if is_user_code(code):
                raise NeedsLoop(f"{function.__qualname__} is asynchronous")
            return None
        try:
            tree = self._rewrite(function, found)
        except Unsupported as problem:
            self.opaque.setdefault(f"{function.__qualname__}: it uses {problem}")
            self.block(function.__qualname__, f"it uses {problem}")
            return None
        self.sources[code] = textwrap.dedent(ast.unparse(found.node))
        made = _extract(compile(tree, code.co_filename, "exec", code.co_flags & FLAGS, True), code)
        return Twin(made, _roots(function), bool(code.co_flags & GENERATOR))

    def _rewrite(self, function: types.FunctionType, found: Found) -> ast.Module:
        """The module that holds the rewritten function inside a function of its free variables."""
        code = function.__code__
        check(found.node)
        node = copy.deepcopy(found.node)
        mangle(node, found.owner)
        add = self._adder(function, found)
        declared = frozenset(name for sub in _own_nodes(node) if isinstance(sub, ast.Global) for name in sub.names)
        scope = Scope(code, function.__globals__, found.nonlocals, self.yields, add, declared)
        lines: list[ast.stmt] = node.body if not isinstance(node, ast.Lambda) else [
            ast.copy_location(ast.Return(node.body), node.body)
        ]
        body = Statements(scope).block(lines)
        if self.yields:
            body.append(ast.copy_location(ast.If(ast.Constant(0), [ast.Expr(ast.Yield(None))], []), body[-1]))
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        empty = ast.arguments(
            node.args.posonlyargs, node.args.args, node.args.vararg, node.args.kwonlyargs,
            [d and ast.Constant(None) for d in node.args.kw_defaults], node.args.kwarg,
            [ast.Constant(None) for _ in node.args.defaults],
        )  # fmt: skip
        name = "ss_inner"  # not its own: a recursive call looks for the global
        kind: Any = ast.AsyncFunctionDef if isinstance(node, ast.AsyncFunctionDef) else ast.FunctionDef
        inner = ast.copy_location(kind(name, empty, body, [], None, type_params=[]), node)
        return _enclose(inner, [*code.co_freevars, *GIVEN])

    def _adder(self, function: types.FunctionType, found: Found) -> Callable[[str, str, ast.AST], int]:
        """A function that makes a site and gives its number."""
        code, scope = function.__code__, function.__globals__

        def add(op: str, name: str, node: ast.AST) -> int:
            line = getattr(node, "lineno", code.co_firstlineno)
            where = f"{found.label}, line {line}"
            number = len(self.sites)
            perform = self.performers.get(op, no_step)
            site = Site(number, op, name, line, where, found.line(line), scope, self.handlers[op], perform, code)
            self.sites.append(site)
            if op == "method":
                site.partner = add("read", name, node)
                add("call", name, node)
            if op in ("global_write", "global_delete"):
                self.written.add((id(scope), name))
            return number

        return add

    def derived(self, site: Site, op: str, name: str) -> Site:
        """A site at the same place that asks for something else: the field that getattr() names, say."""
        key = (site.index, op, name)
        if key not in self.more:
            made = replace(
                site, index=len(self.sites), op=op, name=name, handle=self.handlers[op],
                perform=self.performers.get(op, no_step), kinds={},
                quick=0, plain=None, act=None, function=None,
            )  # fmt: skip
            self.sites.append(made)
            self.more[key] = made
        return self.more[key]

    def build(self, function: types.FunctionType, twin: Twin, step: Callable[..., Any] | None) -> Callable[..., Any]:
        """A callable twin of this very function object: same globals, cells and defaults."""
        known = self.built.get(function)
        if known is not None and known.__defaults__ is function.__defaults__:
            return known
        closure = None
        if twin.code.co_freevars:
            cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
            for name in made_names(twin.code):
                cells[name] = types.CellType(step if name == "ss_step" else GIVEN[name])
            closure = tuple(cells[name] for name in twin.code.co_freevars)
        made = types.FunctionType(twin.code, function.__globals__, function.__name__, function.__defaults__, closure)
        made.__kwdefaults__ = function.__kwdefaults__
        if not function.__closure__ and made.__kwdefaults__ is None and step is None:
            self.built[function] = made
        return made

    def body(self, function: types.FunctionType) -> tuple[Twin, Callable[..., Any]] | None:
        """The twin of a thread's body, ready to be called; None if the body has to be called like anything else."""
        if function not in self.bodies:
            twin = self.twin(function)
            plain = twin is not None and not twin.generator and function.__code__.co_argcount == 1
            self.bodies[function] = (twin, self.build(function, twin, None)) if plain and twin is not None else None
        return self.bodies[function]

    def fingerprint(self, codes: set[types.CodeType]) -> str:
        """A hash of the source of these functions; comments and spaces do not count."""
        texts = sorted(self.sources[code] for code in codes if code in self.sources)
        return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8]


def no_step(run: Any, thread: Any, site: Site, request: tuple) -> None:
    """In the place of an access, at a site that asks for none."""


def made_names(code: types.CodeType) -> list[str]:
    """The names that rewritten code needs, those that it uses."""
    return [name for name in code.co_freevars if name in GIVEN]


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes below, but not those of a function inside."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield from _own_nodes(child)


def mangle(node: ast.AST, owner: str | None) -> None:
    """Write out the private names (`__x`) that the class around a method would mangle."""
    if owner is None or not owner.strip("_"):
        return
    prefix = "_" + owner.lstrip("_")

    def private(name: str) -> str:
        hidden = name.startswith("__") and not name.endswith("__")
        return prefix + name if hidden else name

    for sub in _outside_classes(node):
        for key in ("attr", "id", "arg", "name"):
            if isinstance(getattr(sub, key, None), str) and sub is not node:
                setattr(sub, key, private(getattr(sub, key)))
        if isinstance(sub, (ast.Global, ast.Nonlocal)):
            sub.names = [private(name) for name in sub.names]


def _outside_classes(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes below, but not those inside a nested class, which mangles by itself."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.ClassDef):
            yield from _outside_classes(child)


def _enclose(inner: ast.stmt, names: list[str]) -> ast.Module:
    """Put a function into one whose parameters are its free variables."""
    arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    kind: Any = ast.FunctionDef
    outer = kind("ss_outer", arguments, [inner], [], None, type_params=[])
    ast.copy_location(outer, inner)
    return ast.fix_missing_locations(ast.Module([outer], []))


def _extract(module: types.CodeType, original: types.CodeType) -> types.CodeType:
    """The code of the inner function, under its own name."""
    outer = next(c for c in module.co_consts if isinstance(c, types.CodeType))
    inner = next(c for c in outer.co_consts if isinstance(c, types.CodeType))
    return _rename(inner, inner.co_qualname, original.co_qualname).replace(co_name=original.co_name)


def _rename(code: types.CodeType, old: str, new: str) -> types.CodeType:
    """Give a code object, and those of the functions and classes inside, the names that they had."""

    def named(constant: object) -> object:
        if isinstance(constant, types.CodeType):
            return _rename(constant, old, new)
        if isinstance(constant, str) and constant.startswith(old + "."):  # a class body sets its own __qualname__
            return new + constant.removeprefix(old)
        return constant

    name = code.co_qualname
    inside = tuple(map(named, code.co_consts))
    return code.replace(co_consts=inside, co_qualname=new + name.removeprefix(old) if name.startswith(old) else name)


def _roots(function: types.FunctionType) -> tuple[str, ...]:
    """The globals that a function reads, those that may hold shared objects."""
    names = {i.argval for i in dis.get_instructions(function.__code__) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    plain = (type, types.ModuleType, types.BuiltinFunctionType)
    return tuple(sorted(n for n in names if not isinstance(function.__globals__.get(n), plain)))
