"""What is known of library code: which of the things that it is given it reads, and which it changes.

A call of something that is in no table is not known: the result says so. An effect is a function of
(run, function, receiver, arguments, keywords) that gives what the call touches.
"""

from __future__ import annotations

import array
import builtins
import collections
import contextvars
import ctypes
import enum
import functools
import io
import operator
import os
import pathlib
import random
import re
import sys
import types
import weakref
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access import places
from sharedstate.interleave.access.known_arrays import LIBRARIES, of_numpy, of_torch
from sharedstate.interleave.access.places import READ, WHOLE, WRITE, Touched
from sharedstate.interleave.access.registry import ATOMIC, BUILTINS, is_user_class
from sharedstate.interleave.runs.protocol import Run

Effect = Callable[[Any, Any, Any, tuple, dict], Touched]

ASKING = frozenset({isinstance, issubclass, id, type, callable})
# Builtins that look at the content of what they are given, but not into what that holds.
SHALLOW = frozenset({
    len, list, tuple, set, frozenset, dict, bytes, bytearray, sum, min, max, any, all, enumerate, zip, reversed, iter,
    map, filter, abs, round, divmod, pow, int, float, complex, bool, ord, chr, bin, hex, oct, memoryview, slice,
    super, object, property, staticmethod, classmethod, range, next, vars, dir, collections.deque,
    collections.OrderedDict, collections.defaultdict, types.SimpleNamespace, types.MappingProxyType, weakref.ref,
    types.MethodType, type, functools.partial, operator.itemgetter, operator.attrgetter, operator.methodcaller,
    io.StringIO, io.BytesIO, random.Random, array.array, contextvars.ContextVar, BaseException, ctypes.c_int,
})  # fmt: skip
# Builtins that look into everything they are given.
DEEP = frozenset({repr, str, ascii, format, print, hash, sorted})
PURE = frozenset({
    "math", "cmath", "_operator", "operator", "itertools", "time", "_struct", "struct", "binascii", "zlib", "_hashlib",
    "_sha1", "_sha256", "_sha512", "_sha2", "_sha3", "_md5", "_blake2", "hashlib", "_json", "json", "_datetime",
    "datetime", "_statistics", "unicodedata", "_string", "_sre", "re", "_bisect", "_heapq", "copy", "copyreg",
    "_pickle", "pickle", "textwrap", "string", "fractions", "numbers", "_decimal", "decimal", "uuid", "secrets",
    "base64", "keyword", "pathlib", "dis", "inspect", "ast", "token", "tokenize", "traceback", "linecache", "typing",
    "types", "enum", "abc", "_abc", "dataclasses", "html", "urllib.parse", "calendar", "locale", "gettext", "errno",
    "stat", "posixpath", "ntpath", "genericpath", "fnmatch", "pprint", "reprlib", "difflib", "platform", "sysconfig",
    "gc", "cloudpickle", "_random",
})  # fmt: skip
# Modules in C whose objects are changed by their methods.
KEEPS_STATE = frozenset({
    "zlib", "_hashlib", "_sha1", "_sha256", "_sha512", "_sha2", "_sha3", "_md5", "_blake2", "_pickle", "_csv", "_bz2",
    "_lzma",
})  # fmt: skip
CHANGING = MappingProxyType({
    list: "append extend insert pop remove clear sort reverse __setitem__ __delitem__ __iadd__ __imul__ __init__",
    dict: "pop popitem setdefault update clear __setitem__ __delitem__ __ior__ __init__",
    set: (
        "add discard remove pop clear update difference_update intersection_update symmetric_difference_update "
        "__iand__ __ior__ __isub__ __ixor__ __init__"
    ),
    bytearray: "append extend insert pop remove clear reverse __setitem__ __delitem__ __iadd__ __imul__ __init__",
    collections.deque: (
        "append appendleft extend extendleft insert pop popleft remove clear rotate reverse __setitem__ __delitem__ "
        "__iadd__ __imul__ __init__"
    ),
    collections.OrderedDict: "pop popitem setdefault update clear move_to_end __setitem__ __delitem__ __ior__ __init__",
    collections.defaultdict: "pop popitem setdefault update clear __setitem__ __delitem__ __missing__ __ior__ __init__",
    array.array: (
        "append extend fromlist frombytes fromfile insert pop remove reverse byteswap __setitem__ __delitem__ "
        "__iadd__ __imul__"
    ),
    memoryview: "release __setitem__",
    object: "__setattr__ __delattr__ __setstate__",
    io.IOBase: (
        "read read1 readline readlines readinto write writelines seek truncate flush close detach __next__ __exit__"
    ),
    random.Random: "*",
})  # fmt: skip
# State of the process that a function reads (r) or changes (w): what it is called, and the functions.
HIDDEN = MappingProxyType({
    "the working directory": "r:os.getcwd r:os.getcwdb w:os.chdir w:os.fchdir",
    "the file system": (
        "w:io.open w:builtins.open w:os.open w:os.remove w:os.unlink w:os.rename w:os.replace w:os.mkdir w:os.makedirs "
        "w:os.rmdir w:os.removedirs w:os.link w:os.symlink w:os.truncate w:os.utime w:os.chmod r:os.stat r:os.lstat "
        "r:os.listdir r:os.scandir r:os.access r:os.walk r:posixpath.exists r:genericpath.exists r:genericpath.isfile "
        "r:genericpath.isdir r:genericpath.getsize r:genericpath.getmtime r:os.path.exists r:tempfile.mkdtemp "
        "w:tempfile.mkstemp w:shutil.rmtree w:shutil.copy w:shutil.move w:posix.open w:posix.mkdir w:posix.unlink "
        "r:posix.stat r:posix.listdir"
    ),
    "the environment": "w:os.putenv w:os.unsetenv w:posix.putenv w:posix.unsetenv",
    "the umask": "w:os.umask w:posix.umask",
    "the locale": "w:locale.setlocale w:_locale.setlocale r:locale.getlocale r:locale.localeconv r:_locale.localeconv",
    "the warnings filter": (
        "w:warnings.simplefilter w:warnings.filterwarnings w:warnings.resetwarnings r:warnings.warn r:_warnings.warn "
        "w:warnings.catch_warnings"
    ),
    "the switch interval": "w:sys.setswitchinterval r:sys.getswitchinterval",
    "the recursion limit": "w:sys.setrecursionlimit r:sys.getrecursionlimit",
    "the logging configuration": (
        "w:logging.basicConfig w:logging.disable w:logging.addLevelName r:logging.debug r:logging.info "
        "r:logging.warning r:logging.error r:logging.critical r:logging.log r:logging.exception r:logging.getLogger"
    ),
    "signal handlers": "w:signal.signal r:signal.getsignal w:_signal.signal r:_signal.getsignal",
    "the table of modules": "w:importlib.reload r:importlib.import_module r:importlib.__import__ r:builtins.__import__",
})
HIDDEN_CALLS = MappingProxyType({
    entry[2:]: (state, int(entry[0] == "w")) for state, entries in HIDDEN.items() for entry in entries.split()
})
ON_FILES = MappingProxyType({
    **dict.fromkeys("exists is_file is_dir stat lstat read_text read_bytes iterdir glob rglob samefile".split(), 0),
    **dict.fromkeys("write_text write_bytes open touch mkdir unlink rmdir rename replace chmod symlink_to".split(), 1),
})  # fmt: skip
ASKED_BY_TORCH = "_get_tracing_state"  # in every call of a module: nobody is tracing
FRESH = (list, tuple, dict, set, frozenset, str, bytes, bytearray, int, float, complex, collections.deque)
INTO = frozenset({"pack_into", "readinto", "readinto1", "recv_into", "memmove", "memset", "update_abstractmethods"})
KEEPING = frozenset({"append", "appendleft", "insert", "add", "setdefault", "__setitem__", "pop", "popleft", "discard"})
OF_KEY = ("get", "pop", "setdefault", "__getitem__", "__setitem__", "__delitem__", "__contains__")
LOOKING_AT_FILE = ("getvalue", "tell", "readable", "writable", "seekable", "isatty", "fileno")
OF_LOOP = ("asyncio", "_asyncio", "sharedstate.interleave.runs")
MODELLED = ("threading", "queue", "concurrent.futures")


def effect(function: Any, receiver: Any) -> Effect | None:
    """What a call of a function touches, as a function of its arguments; None if it is not known."""
    if _hashable(function):
        if function in ASKING:
            return _nothing
        if function in DEEP:
            return _deep
        if function in SHALLOW:
            return _shallow
    module, name = _module(function, receiver), getattr(function, "__name__", "")
    if f"{module}.{name}" in HIDDEN_CALLS:
        return _hidden
    modelled = name.startswith("__") and module.startswith(MODELLED)
    if module == "_thread" or name == ASKED_BY_TORCH or module.startswith(OF_LOOP) or modelled:
        return _nothing
    if receiver is not None and not isinstance(receiver, (types.ModuleType, type)):
        return _of_method(type(receiver), name)
    library = module.partition(".")[0]
    if library in LIBRARIES:
        return of_numpy if library == "numpy" else of_torch(function, module, name)
    if isinstance(function, type):
        return _of_class(function)
    if isinstance(function, (weakref.ref, operator.itemgetter, operator.attrgetter, operator.methodcaller)):
        return _deep_of(function)
    if isinstance(function, functools._lru_cache_wrapper):
        return _changes_function
    on_heap = module in ("_heapq", "heapq") and name != "merge"
    if on_heap or (module in ("_bisect", "bisect") and name.startswith("insort")):
        return _changes_first
    if name == "_count_elements" and module == "_collections":  # what Counter.update does in C
        return _changes_first
    if module in ("pickle", "_pickle", "pprint"):
        return _into_fields
    if module in ("heapq", "copy", "operator", "_operator", "json", "statistics"):
        return _deep
    if type(function) is types.BuiltinFunctionType and module in ("builtins", "sys", "_functools", "_collections"):
        return _deep
    if module in PURE or library in PURE:
        return _changes_all if name in INTO else _deep
    return None


def in_vain(function: Any, receiver: Any, args: tuple) -> bool:
    """True for a call that would change its container, and that has nothing to change: a loop that makes it waits."""
    if type(receiver) not in (dict, list, set, collections.deque):
        return False
    name = function.__name__
    if name == "setdefault":
        return len(args) > 0 and type(args[0]) in ATOMIC and args[0] in receiver
    return not receiver and name in ("pop", "popleft", "popitem", "remove", "clear", "discard")


def asks(function: Any) -> bool:
    """True for a call that changes nothing: a loop that makes it has changed nothing yet."""
    if getattr(function, "__name__", "") == "sleep":
        return True
    return _hashable(function) and (function in ASKING or function in SHALLOW or function in DEEP)


def reveals(function: Any) -> bool:
    """True for a call whose result may be something that others can reach too, and not a thing of its own."""
    return function not in FRESH if _hashable(function) else True


def label(function: Any) -> str:
    """How a function is called in a sentence."""
    receiver = getattr(function, "__self__", None)
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    module = getattr(function, "__module__", None)
    if isinstance(receiver, types.ModuleType) or receiver is None:
        return name if module in (None, "builtins", "__main__") else f"{module}.{name}"
    return name


def _hashable(function: Any) -> bool:
    known_kind = isinstance(function, (type, types.BuiltinFunctionType, types.FunctionType))
    return known_kind and type(function).__hash__ is not None


def _module(function: Any, receiver: Any) -> str:
    """The module that a function is of."""
    if isinstance(receiver, types.ModuleType):
        return receiver.__name__
    return getattr(function, "__module__", None) or type(function).__module__ or ""


# -- effects -----------------------------------------------------------------------------------------


def _things(receiver: Any, args: tuple, keywords: dict) -> tuple:
    return (receiver, *args, *keywords.values())


def handed(run: Run, args: tuple, keywords: dict) -> Touched:
    """What functions written in C look at that a call is given: a method of a container, a getter."""
    found: Touched = []
    for value in (*args, *keywords.values()):
        if type(value) in (types.MethodWrapperType, *BUILTINS):
            found += places.deep(run, (value.__self__,))
        elif isinstance(value, io.IOBase):
            found += places.whole(run, value, True)
        elif isinstance(value, (operator.attrgetter, operator.itemgetter, operator.methodcaller)):
            got = tuple(map(str, value.__reduce__()[1])) if type(value) is operator.attrgetter else ()
            plain = bool(got) and not any("." in name for name in got)
            found += places.deep(run, args, fields=got if plain else True)
    return found


def _nothing(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    return []


def _shallow(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    found: Touched = []
    for thing in _things(receiver, args, keywords):
        if type(thing) not in ATOMIC:
            found += places.whole(run, thing, hasattr(type(thing), "__next__"))
    return found


def _deep(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    found = places.deep(run, _things(receiver, args, keywords))
    if function is print and keywords.get("file") is not None:
        return found + places.whole(run, keywords["file"], True)
    if function is print and "stdout" in run.program.rebound:
        found += [(("sys", "stdout"), READ), *places.whole(run, sys.stdout, True)]
    return found


def _into_fields(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    """Code that looks into the fields of objects as well; a file that it is given is changed."""
    things = _things(receiver, args, keywords)
    files = [entry for thing in things if isinstance(thing, io.IOBase) for entry in places.whole(run, thing, True)]
    return places.deep(run, things, fields=True) + files


def _deep_of(thing: Any) -> Effect:
    return lambda run, function, receiver, args, keywords: places.deep(run, (*args, *keywords.values()))


def _hidden(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    state, mode = HIDDEN_CALLS[f"{_module(function, receiver)}.{function.__name__}"]
    if function is builtins.open:
        wanted = args[1] if len(args) > 1 else keywords.get("mode", "r")
        mode = int(not isinstance(wanted, str) or any(letter in wanted for letter in "wax+"))
    return [((state, WHOLE), mode)]


def _on_files(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    """A method of a path: it looks at the file system, or changes it."""
    return [(("the file system", WHOLE), ON_FILES[function.__name__])]


def _changes_first(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    return places.whole(run, args[0], True) + places.deep(run, args[1:]) if args else []


def _changes_all(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    """A function that writes into one of the things that it is given."""
    return places.deep(run, _things(receiver, args, keywords), True)


def _changes_function(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    """A cached function: what it keeps is changed."""
    run.learn(function, label(function))
    return places.whole(run, function, True) + places.deep(run, args)


def _of_class(cls: Any) -> Effect | None:
    """Making an object of a library's class, or of a learner's that leaves the making to it."""
    if is_user_class(cls) and (cls.__module__ or "").partition(".")[0] not in LIBRARIES:
        cls = next(base for base in cls.__mro__ if not is_user_class(base))
    if issubclass(cls, (BaseException, enum.Enum, tuple, *FRESH)) or cls.__module__ in PURE:
        return _deep
    plain = cls.__new__ is object.__new__ and cls.__init__ is object.__init__
    if plain or cls.__module__ in ("builtins", "collections", "itertools", "types", "functools", "threading", "queue"):
        return _shallow
    if cls.__module__ in ("ctypes", "_ctypes", "io", "_io", "concurrent.futures.thread", "concurrent.futures._base"):
        return _shallow
    in_c = isinstance(cls.__init__, types.WrapperDescriptorType) and not isinstance(cls.__new__, types.FunctionType)
    return _shallow if in_c else None


def _of_method(cls: type, name: str) -> Effect | None:
    """A method of a library's object: which it changes is known for each class."""
    library = (cls.__module__ or "").partition(".")[0]
    if (cls.__module__ or "").startswith(OF_LOOP) or issubclass(cls, (contextvars.ContextVar, contextvars.Token)):
        return _nothing
    if library in LIBRARIES:
        return of_numpy if library == "numpy" else of_torch(getattr(cls, name, None), cls.__module__, name)
    if issubclass(cls, type(os.environ)):
        return _shallow if name in ("get", "keys", "values", "items", "copy", "__contains__") else _changes
    if issubclass(cls, dict) and name in OF_KEY:
        return _of_key
    if issubclass(cls, set) and name in ("add", "discard", "remove", "__contains__"):
        return _of_key
    for base, names in CHANGING.items():
        if issubclass(cls, base):
            if names == "*" or name in names.split():
                return _of_field if base is object else _changes
            if base is not object and not issubclass(cls, io.IOBase):
                return _deep if name in ("__eq__", "__ne__", "index", "count", "__contains__", "__repr__") else _shallow
    if issubclass(cls, io.IOBase) or hasattr(cls, "__next__"):
        return _shallow if name in LOOKING_AT_FILE else _changes
    if issubclass(cls, (re.Pattern, re.Match, str, bytes, int, float, complex, tuple, frozenset, range, slice, type)):
        return _deep
    kinds = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, property, super, types.MappingProxyType)
    if issubclass(cls, (*kinds, functools._lru_cache_wrapper, contextvars.Context)):
        return _changes if name in ("cache_clear", "run") else _shallow
    if cls.__module__ in KEEPS_STATE:
        return _changes if name not in ("digest", "hexdigest", "copy") else _shallow
    if name in INTO:
        return _changes_all
    if issubclass(cls, pathlib.Path) and name in ON_FILES:
        return _on_files
    if cls in places.VIEWS or cls.__module__ in PURE or cls.__module__ in ("_ctypes", "ctypes"):
        return _deep
    return _of_any(cls, name)


def _of_any(cls: type, name: str) -> Effect | None:
    """A method that objects of every kind have."""
    if name in ("__getattribute__", "__repr__", "__str__", "__eq__", "__ne__", "__hash__", "__format__", "__init__"):
        return _deep
    if name in ("__reduce__", "__reduce_ex__", "__getstate__", "__dir__", "__sizeof__"):
        return _fields
    if name in ("__class__", "__init_subclass__", "__subclasshook__"):
        return _nothing
    if issubclass(cls, BaseException):
        return _changes if name in ("with_traceback", "add_note") else _deep
    return None


def _changes(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    """A method that changes its object; what it is given is looked at only where it is compared or taken apart."""
    found = places.whole(run, receiver, True)
    name = function.__name__
    if name in INTO:
        return found + places.deep(run, args, True)
    if name in KEEPING:
        return found
    if name in ("remove", "index", "count"):
        return found + places.deep(run, args)
    return found + [entry for thing in args for entry in places.whole(run, thing, hasattr(type(thing), "__next__"))]


def _fields(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    """Everything in an object's fields."""
    return places.whole(run, receiver, False)


def _of_key(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    """A method of a mapping or a set that is about one key."""
    name = function.__name__
    if not args:
        return _changes(run, function, receiver, args, keywords)
    writes = name not in ("get", "__getitem__", "__contains__")
    missing = name == "__getitem__" and hasattr(type(receiver), "__missing__")
    touched = places.item(run, receiver, args[0], writes or missing)
    if touched and writes:
        inside = args[0] in receiver
        if name in ("pop", "discard", "remove", "__delitem__") or not inside:
            touched.append(places.order(touched))
    return touched


def _of_field(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    """object.__setattr__ and the like."""
    name = run.names.get(id(receiver))
    return [((name, args[0]), WRITE)] if name and args and isinstance(args[0], str) else []
