"""What an answer may hold that is judged from its source: nothing that reaches behind the check."""

from __future__ import annotations

import ast
import builtins
import importlib
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType, ModuleType

from .types import AnswerProblem, Exercise

FORBIDDEN_NAMES = frozenset((
    "eval", "exec", "compile", "open", "globals", "locals", "vars", "getattr", "setattr", "delattr",
    "breakpoint", "input", "get_ipython", "sharedstate", "__import__", "__builtins__", "__loader__",
    "__spec__", "attrgetter",
))
ALLOWED_DUNDERS = frozenset((
    "__init__", "__enter__", "__exit__", "__call__", "__name__", "__class__", "__new__", "__post_init__",
    "__slots__", "__getitem__", "__setitem__", "__delitem__", "__contains__", "__len__", "__iter__", "__next__",
))
FRAMES = frozenset((
    "gi_frame", "cr_frame", "ag_frame", "tb_frame", "f_back", "f_globals", "f_locals", "f_builtins",
    "gi_code", "cr_code", "ag_code", "f_code", "mro", "_convert_", "_evaluate",
    "modules", "_os", "_sys", "sys", "os", "builtins", "inspect", "wraps", "update_wrapper",
))
PLAIN = ("itertools", "contextlib", "numbers", "math", "heapq", "bisect", "fractions", "decimal")
INNER = ("torch.autograd", "torch.autograd.functional", "torch.func", "torch.linalg", "torch.nn", "torch.nn.functional",
         "torch.special", "numpy.linalg", "numpy.random")  # of packages that may be used
UNSAFE = frozenset((
    "settrace", "setprofile", "settrace_all_threads", "setprofile_all_threads", "load", "save", "compile", "excepthook",
))  # of modules that may be used as a whole
FROM: Mapping[str, frozenset[str]] = MappingProxyType({
    "__future__": frozenset(("annotations",)),
    "abc": frozenset(("ABC", "abstractmethod")),
    "asyncio": frozenset((
        "Barrier", "CancelledError", "Condition", "Event", "Future", "Lock", "Queue", "Runner", "Semaphore", "Task",
        "TaskGroup", "TimeoutError", "all_tasks", "as_completed", "create_task", "current_task", "ensure_future",
        "gather",
        "get_event_loop", "get_running_loop", "iscoroutinefunction", "new_event_loop", "run", "set_event_loop",
        "shield",
        "sleep", "timeout", "to_thread", "wait", "wait_for", "wrap_future", "run_coroutine_threadsafe", "QueueEmpty",
    )),
    "collections": frozenset(("defaultdict", "deque", "namedtuple", "Counter", "OrderedDict", "ChainMap")),
    "collections.abc": frozenset((
        "Callable", "Iterator", "Iterable", "Sequence", "Mapping", "MutableMapping", "Hashable", "Generator",
        "Awaitable",
    )),
    "copy": frozenset(("copy", "deepcopy")),
    "enum": frozenset(("Enum", "Flag", "IntEnum", "IntFlag", "StrEnum", "auto", "unique")),
    "functools": frozenset((
        "partial", "total_ordering", "cache", "lru_cache", "reduce", "wraps", "cached_property", "partialmethod",
    )),
    "logging": frozenset((
        "getLogger", "basicConfig", "debug", "info", "warning", "error", "exception", "critical", "DEBUG", "INFO",
        "WARNING", "ERROR", "Logger", "NullHandler",
    )),
    "operator": frozenset(("attrgetter", "itemgetter", "eq", "ne", "add", "sub", "lt", "gt", "is_", "not_")),
    "random": frozenset(("Random", "choice", "choices", "randrange", "randint", "random", "sample", "shuffle", "seed")),
    "string": frozenset((
        "ascii_letters", "ascii_lowercase", "ascii_uppercase", "digits", "hexdigits", "octdigits", "punctuation",
        "printable", "whitespace", "capwords",
    )),
    "types": frozenset(("MappingProxyType", "SimpleNamespace")),
    "typing": frozenset((
        "Annotated", "Any", "Callable", "ClassVar", "Final", "Generic", "Iterable", "Iterator", "Literal", "Mapping",
        "NamedTuple", "NoReturn", "Optional", "Protocol", "Self", "Sequence", "TypeAlias", "TypeVar", "Union", "cast",
        "final", "override", "ParamSpec", "TYPE_CHECKING",
    )),
    "unittest.mock": frozenset(("patch", "sentinel")),
    "weakref": frozenset(("ref", "WeakKeyDictionary", "WeakValueDictionary", "WeakSet")),
})  # what may be used of modules that may not be used as a whole
LOOP = ("subprocess_", "create_subprocess", "connect_read", "connect_write", "create_server", "add_reader",
        "add_writer")
NAMED = ("getattr", "setattr", "delattr")
HANDED_ON = ("callback", "partial", "submit")  # who calls the function it gets with the arguments that follow


def require_allowed(
    exercise: Exercise, source: str, place: Callable[[int], str] = "line {}".format, setup: str = ""
) -> None:
    """Raise AnswerProblem: "not-allowed" names the line and the word, "syntax" is for what is not Python.

    place: words for a line of the source; setup: the lab's own, whose modules are bound by the same rule, and whose names
    of the course are not for an answer.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        raise AnswerProblem("syntax", f"The cell is not valid Python: {problem}.") from None
    given, own = ast.parse(setup), _bound(tree)
    there = (*exercise.imports, *(alias.name for node in given.body if isinstance(node, ast.Import)
                                  for alias in node.names))
    there = (*there, *(one for one in INNER if one.partition(".")[0] in there))
    aliases = {**dict(_aliases(given, there)), **dict(_aliases(tree, exercise.imports))}
    fine = {id(word) for node in ast.walk(tree) for word in _words_in_order(node, aliases, there)}
    courses = _courses_names(given) - own
    for node in ast.walk(tree):
        word = None if id(node) in fine else _forbidden(node, exercise.imports, aliases, there)
        if isinstance(node, ast.Name) and node.id in courses:
            word = node.id
        if isinstance(node, ast.MatchClass):
            word = _matched(node, own)
        if word:
            said = f"uses `{word}`, which is not allowed in a cell that is graded on its own: leave it out."
            raise AnswerProblem("not-allowed", f"{place(getattr(node, 'lineno', 1)).capitalize()}, {said}")


def _bound(tree: ast.Module) -> frozenset[str]:
    """Return the names that are bound anywhere in a source, but for those that an import binds."""
    return frozenset(_name_bound(node) for node in ast.walk(tree))


def _name_bound(node: ast.AST) -> str:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name
    if isinstance(node, ast.arg):
        return node.arg
    return node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else ""


def _courses_names(setup: ast.Module) -> frozenset[str]:
    """Return the names that a lab's setup takes from the course's package."""
    found = (node for node in setup.body if isinstance(node, ast.ImportFrom))
    return frozenset(alias.asname or alias.name for node in found for alias in node.names
                     if (node.module or "").partition(".")[0] == "sharedstate")


def without_course(setup: str) -> str:
    """Return a lab's setup without what it takes from the course's package: an answer that is judged on its own gets
    nothing of the course that it could change.
    """
    tree = ast.parse(setup)
    names = _courses_names(tree)
    kept = [node for node in tree.body if not (
        isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "sharedstate")
        and not (isinstance(node, ast.Expr) and names & {one.id for one in ast.walk(node) if isinstance(one, ast.Name)})]
    return ast.unparse(ast.Module(kept, []))


def _aliases(tree: ast.Module, imports: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield (name, module) for each name that stands for a module that may be used."""
    known = {*FROM, *PLAIN, *imports}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in known:
                    yield alias.asname or alias.name, alias.name
                    top = alias.name.partition(".")[0]
                    if not alias.asname:
                        yield top, top if top in known else alias.name
        if isinstance(node, ast.ImportFrom):
            names = [(alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names]
            yield from ((name, whole) for name, whole in names if whole in (*known, PATCH, WRAPS))


def _words_in_order(node: ast.AST, aliases: Mapping[str, str], imports: tuple[str, ...]) -> Iterator[ast.AST]:
    """Yield the names that would be forbidden and are fine as they are used in this node."""
    if isinstance(node, ast.Call):
        if _names_a_field(node):
            yield node.func
        for place, given in enumerate(node.args):
            after = node.args[place + 2:place + 3]
            if getattr(given, "id", "") in ("setattr", "delattr") and _last_name(node.func) in HANDED_ON:
                yield from [given] if after and _ordinary(after[0]) else []
        whole, args = _whole(node.func, aliases), node.args
        if whole == f"{PATCH}.object" and len(args) > 1 and _ordinary(args[1]):
            yield from ast.walk(node.func)
        if whole == ATTRGETTER and args and all(map(_ordinary, args)) and not node.keywords:
            yield from ast.walk(node.func)
        if whole == WRAPS and len(args) == 1 and not isinstance(args[0], ast.Starred) and not node.keywords:
            yield from ast.walk(node.func)
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        whole = _whole(node, aliases)
        if whole and whole == _entry(whole, imports) and whole not in SPECIAL:
            yield from ast.walk(node)


PATCH, WRAPS, ATTRGETTER = SPECIAL = "unittest.mock.patch", "functools.wraps", "operator.attrgetter"


def _entry(whole: str, imports: tuple[str, ...]) -> str:
    """Return the first part of a dotted name that is a thing of a module and may be used; "" where none may."""
    parts = whole.split(".")
    modules = [".".join(parts[:n]) for n in range(len(parts), 0, -1)]
    module = next((one for one in modules if one in (*FROM, *PLAIN, *imports)), "")
    name = whole[len(module) + 1:].partition(".")[0]
    return f"{module}.{name}" if module and name and _public(module, name, imports) else ""


def _public(module: str, name: str, imports: tuple[str, ...]) -> bool:
    """Say whether a name of a module may be used: its own, no other module's, and none that watches or loads code."""
    if module in FROM and module not in imports:
        return name in FROM[module]
    own = importlib.import_module(module)
    listed = None if module.startswith(("torch", "numpy")) else getattr(own, "__all__", None)
    if name in UNSAFE or name in FRAMES or name.startswith("_") or (listed and name not in listed):
        return False
    return hasattr(own, name) and not isinstance(getattr(own, name), ModuleType)


def _whole(node: ast.AST, aliases: Mapping[str, str]) -> str | None:
    """Return "functools.wraps" for whatever stands for it here; None for what has nothing to do with a module."""
    if isinstance(node, ast.Attribute):
        text = ast.unparse(node.value) if not isinstance(node.value, ast.Call) else ""
        base = aliases.get(text) or _whole(node.value, aliases)
        return f"{base}.{node.attr}" if base else None
    return aliases.get(node.id) if isinstance(node, ast.Name) else None


def _last_name(node: ast.AST) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))


def _names_a_field(call: ast.Call) -> bool:
    """True for getattr(x, "user") and its like: the field is written out, and is an ordinary one."""
    function, given = call.func, call.args
    if any(isinstance(one, ast.Starred) for one in given) or call.keywords:
        return False
    name = getattr(function, "id", "")
    if isinstance(function, ast.Attribute) and function.attr == "__setattr__":
        names = given[-2:-1]  # object.__setattr__(self, "name", value), super().__setattr__("name", value)
    else:
        names = given if name == "attrgetter" else given[1:2] if name in NAMED else []
    return bool(names) and all(map(_ordinary, names))


def _ordinary(node: ast.AST) -> bool:
    if not isinstance(node, ast.Constant) or type(node.value) is not str:
        return False
    return not any(part in FRAMES or _hidden(part) for part in node.value.split("."))


def _forbidden(
    node: ast.AST, imports: tuple[str, ...], aliases: Mapping[str, str], there: tuple[str, ...]
) -> str | None:
    """Return the word of a node that may not stand in the cell. there: the modules whose names may be used."""
    if isinstance(node, ast.Import):
        return next((a.name for a in node.names if a.name not in (*imports, *PLAIN, *FROM)), None)
    if isinstance(node, ast.ImportFrom):
        return _imported(node, imports)
    if isinstance(node, ast.Name):
        return node.id if node.id in FORBIDDEN_NAMES or node.id in aliases else None
    if isinstance(node, ast.Attribute):
        if node.attr in FRAMES or _hidden(node.attr) or node.attr.startswith(LOOP):
            return node.attr
        whole = _whole(node, aliases)
        used = whole and isinstance(node.ctx, ast.Load) and _entry(whole, there) not in ("", whole, *SPECIAL)
        return ast.unparse(node) if whole and not used else None
    return None


def _matched(pattern: ast.MatchClass, own: frozenset[str]) -> str | None:
    """Return the word of a class pattern that would read a hidden field, or one whose name is not written out."""
    hidden = next((name for name in pattern.kwd_attrs if name in FRAMES or _hidden(name)), None)
    kind = _last_name(pattern.cls)
    plain = not pattern.patterns or (hasattr(builtins, kind) and kind not in own)
    return hidden or (None if plain else f"case {ast.unparse(pattern)}")


def _imported(node: ast.ImportFrom, imports: tuple[str, ...]) -> str | None:
    """Return what may not be imported from a module: the module, or a name that it does not call its own."""
    module = node.module or "."
    if module in ("unittest", "collections") and [a.name for a in node.names] in (["mock"], ["abc"]):
        return None
    if module not in FROM and module not in imports and module not in PLAIN:
        return module
    inner = (a.name for a in node.names if f"{module}.{a.name}" not in imports and not _public(module, a.name, imports))
    renamed = next((a.name for a in node.names if a.asname and a.name in (*FORBIDDEN_NAMES, "patch", "wraps")), None)
    return next(inner, renamed)


def _hidden(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in ALLOWED_DUNDERS
