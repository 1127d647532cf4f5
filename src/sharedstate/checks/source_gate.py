"""What an answer may hold that is judged from its source: nothing that reaches behind the check."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

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
    "modules", "_os", "_sys", "sys", "os", "builtins", "inspect", "wraps", "update_wrapper",
))
PLAIN = ("itertools", "contextlib", "numbers", "math", "string", "enum", "heapq", "bisect", "fractions", "decimal")
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
    "functools": frozenset((
        "partial", "total_ordering", "cache", "lru_cache", "reduce", "wraps", "cached_property", "partialmethod",
        "singledispatch",
    )),
    "logging": frozenset((
        "getLogger", "basicConfig", "debug", "info", "warning", "error", "exception", "critical", "DEBUG", "INFO",
        "WARNING", "ERROR", "Logger", "NullHandler",
    )),
    "operator": frozenset(("attrgetter", "itemgetter", "eq", "ne", "add", "sub", "lt", "gt", "is_", "not_")),
    "random": frozenset(("Random", "choice", "choices", "randrange", "randint", "random", "sample", "shuffle", "seed")),
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


def require_allowed(exercise: Exercise, source: str, place: Callable[[int], str] = "line {}".format) -> None:
    """Raise AnswerProblem: "not-allowed" names the line and the word, "syntax" is for what is not Python.

    place: words for a line of the source.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        raise AnswerProblem("syntax", f"The cell is not valid Python: {problem}.") from None
    aliases = dict(_aliases(tree, exercise.imports))
    fine = {id(word) for node in ast.walk(tree) for word in _words_in_order(node, aliases)}
    for node in ast.walk(tree):
        word = None if id(node) in fine else _forbidden(node, exercise.imports, aliases)
        if word:
            said = f"uses `{word}`, which is not allowed in a cell that is graded on its own: leave it out."
            raise AnswerProblem("not-allowed", f"{place(getattr(node, 'lineno', 1)).capitalize()}, {said}")


def _aliases(tree: ast.Module, imports: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield (name, module) for each name that stands for a module which may be used in parts only."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in FROM and alias.name not in imports:
                    yield alias.asname or alias.name, alias.name
                    yield alias.asname or alias.name.partition(".")[0], alias.name
        if isinstance(node, ast.ImportFrom):
            names = [(alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names]
            yield from ((name, whole) for name, whole in names if whole in (*FROM, PATCH, WRAPS))


def _words_in_order(node: ast.AST, aliases: Mapping[str, str]) -> Iterator[ast.AST]:
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
    if isinstance(node, ast.Attribute):
        module, _, name = (_whole(node, aliases) or "").rpartition(".")
        if name in FROM.get(module, ()) and f"{module}.{name}" not in SPECIAL:
            yield from ast.walk(node)


PATCH, WRAPS, ATTRGETTER = SPECIAL = "unittest.mock.patch", "functools.wraps", "operator.attrgetter"


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


def _forbidden(node: ast.AST, imports: tuple[str, ...], aliases: Mapping[str, str]) -> str | None:
    """Return the word of a node that may not stand in the cell."""
    if isinstance(node, ast.Import):
        return next((a.name for a in node.names if a.name not in (*imports, *PLAIN, *FROM)), None)
    if isinstance(node, ast.ImportFrom):
        return _imported(node, imports)
    if isinstance(node, ast.Name):
        return node.id if node.id in FORBIDDEN_NAMES or node.id in aliases else None
    if isinstance(node, ast.Attribute):
        if node.attr in FRAMES or _hidden(node.attr) or node.attr.startswith(LOOP):
            return node.attr
        return ast.unparse(node) if _whole(node, aliases) else None
    return None


def _imported(node: ast.ImportFrom, imports: tuple[str, ...]) -> str | None:
    """Return what may not be imported from a module: the module, or a name that it does not call its own."""
    module = node.module or "."
    if module in ("unittest", "collections") and [a.name for a in node.names] in (["mock"], ["abc"]):
        return None
    if module not in FROM and module not in imports and module not in PLAIN:
        return module
    if module in imports or module in PLAIN:
        public = getattr(importlib.import_module(module), "__all__", None)
        inner = (a.name for a in node.names if a.name in FRAMES or a.name == "*" or (public and a.name not in public))
    else:
        inner = (a.name for a in node.names if a.name not in FROM[module])
    renamed = next((a.name for a in node.names if a.asname and a.name in (*FORBIDDEN_NAMES, "patch", "wraps")), None)
    return next(inner, renamed)


def _hidden(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in ALLOWED_DUNDERS
