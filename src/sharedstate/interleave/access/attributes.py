"""Attributes: fields are steps; properties, descriptors and `__getattr__` of a learner's are followed."""

from __future__ import annotations

import _thread
import enum
import types
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.access import calls, places, plain
from sharedstate.interleave.access.followed import follows
from sharedstate.interleave.access.models import Op, Script, calling, play, same, step
from sharedstate.interleave.access.places import READ
from sharedstate.interleave.access.registry import ATOMIC, BUILTINS, defines, is_user_class, lookup
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import GETTER, SETTER, STEP, Site
from sharedstate.interleave.source.lookup import is_user_module

DATA, CLASS_DATA, METHOD, PROPERTY, CLASS, MODULE, LOCAL, LOOKED_UP, DESCRIBED, SUPER, NATIVE, SCOPE = range(12)
METHODS = (
    types.FunctionType, classmethod, staticmethod, types.MethodDescriptorType, types.WrapperDescriptorType,
    types.ClassMethodDescriptorType, *BUILTINS,
)  # fmt: skip

CALLED_BY = ("__code__", "__defaults__", "__kwdefaults__")  # what a call of a function looks at
FIXED = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType)


def classify(run: Run, site: Site, thing: object) -> int:
    """What `site.name` is on objects of this type; remembered at the site."""
    cls = type(thing)
    if cls is types.ModuleType or isinstance(thing, types.ModuleType):
        kind = MODULE
    elif cls is super:
        kind = SUPER
    elif isinstance(thing, type):
        kind = CLASS
    elif issubclass(cls, _thread._local):
        kind = LOCAL
    elif cls in (types.FunctionType, types.FrameType) and site.name in ("__globals__", "f_globals"):
        kind = SCOPE
    else:
        kind = _on_instance(run, cls, site)
    site.kinds[cls] = kind
    if kind == DATA and site.name != "__dict__" and site.op in ("read", "write"):
        site.shorten(*((1, cls, plain.read_field) if site.op == "read" else (2, cls, plain.write_field)))
    return kind


def _on_instance(run: Run, cls: type, site: Site) -> int:
    """What a name is on instances of a class."""
    hook = {"write": "__setattr__", "delete": "__delattr__"}.get(site.op, "__getattribute__")
    found = lookup(cls, site.name)
    if follows(run, lookup(cls, hook)):
        return LOOKED_UP
    if isinstance(found, property):
        return PROPERTY
    if isinstance(found, METHODS):
        return METHOD
    if found is None and not defines(cls, site.name):
        if site.op == "read" and follows(run, lookup(cls, "__getattr__")):
            return LOOKED_UP
        return DATA
    if isinstance(found, types.MemberDescriptorType):
        return DATA
    if isinstance(found, types.GetSetDescriptorType) or issubclass(cls, enum.Enum):
        return NATIVE
    if any(follows(run, lookup(type(found), name)) for name in ("__get__", "__set__", "__delete__")):
        return DESCRIBED
    return CLASS_DATA if not hasattr(type(found), "__get__") else METHOD


# -- reading -----------------------------------------------------------------------------------------


def read(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Read an attribute."""
    thing = request[1]
    kind = site.kinds.get(type(thing))
    if kind is None:
        kind = classify(run, site, thing)
    if kind in (DATA, CLASS_DATA):
        if id(thing) in run.names or run.meets(thread, site, thing):
            return STEP
        value = getattr(thing, site.name)
        if kind == CLASS_DATA:
            _know(run, value, f"{type(thing).__qualname__}.{site.name}")
        return value
    if kind == METHOD:
        return STEP if own_field(run, site, thing) else getattr(thing, site.name)
    return READERS[kind](run, thread, site, thing)


def own_field(run: Run, site: Site, thing: object) -> bool:
    """True where a name that the class knows as a method is a field of a shared object."""
    try:
        fields = object.__getattribute__(thing, "__dict__")
    except AttributeError:
        return False
    rebound = site.name in run.program.rebound
    return (site.name in fields or rebound) and id(thing) in run.names


def _know(run: Run, value: Any, name: str) -> None:
    """What everybody can reach is shared."""
    if type(value) not in ATOMIC and id(value) not in run.names:
        run.registry.add(value, name)


def _property(run: Run, thread: SimThread, site: Site, thing: Any) -> Any:
    function = lookup(type(thing), site.name).fget
    if site.function is not function:
        calls.shorten(run, site, GETTER, type(thing), function)
    return run.call(thread, site, lookup(type(thing), site.name).fget, (thing,), {})


def _class(run: Run, thread: SimThread, site: Site, cls: Any) -> Any:
    """A class's own data is shared by everybody; its functions are only looked up."""
    found, meta = lookup(cls, site.name), lookup(type(cls), site.name)
    if isinstance(meta, property) and follows(run, meta.fget):
        return run.call(thread, site, meta.fget, (cls,), {})
    known = defines(cls, site.name)
    if not known and meta is None and follows(run, lookup(type(cls), "__getattr__")):
        return run.call(thread, site, lookup(type(cls), "__getattr__"), (cls, site.name), {})
    if found is not None and follows(run, lookup(type(found), "__get__")) and not isinstance(found, property):
        return run.call(thread, site, lookup(type(found), "__get__"), (found, None, cls), {})
    if isinstance(cls, enum.EnumMeta):
        value = getattr(cls, site.name)
        _know(run, value, f"{cls.__qualname__}.{site.name}")
        return value
    plain = not is_user_class(cls) or isinstance(found, (*METHODS, property, type))
    if plain and site.name not in run.program.rebound:
        value = getattr(cls, site.name)
        _know(run, value, f"{cls.__qualname__}.{site.name}")
        return value
    if not known and meta is not None:
        return getattr(cls, site.name)
    run.know_class(cls)
    return STEP


def _module(run: Run, thread: SimThread, site: Site, module: Any) -> Any:
    """Data of a module is shared by everybody who imports it."""
    value = getattr(module, site.name)
    if site.name == "__dict__":
        places.know_scope(run, value)
        return value
    plain = isinstance(value, FIXED) or type(value) in ATOMIC or callable(value)
    fixed = isinstance(value, FIXED) or (plain and not is_user_module(module))  # where a file lies takes long to ask
    if fixed and site.name not in run.program.rebound:
        return value
    know_module(run, module)
    _know(run, value, f"{run.names[id(module)]}.{site.name}")
    return STEP


def know_module(run: Run, module: Any) -> None:
    """Give a module a name in this run."""
    if id(module) not in run.names:
        run.names[id(module)] = getattr(module, "__name__", "module")
        run.registry.keep.append(module)


def _local(run: Run, thread: SimThread, site: Site, thing: Any) -> Any:
    """A field of a threading.local: its first use by a thread runs `__init__`, and properties are followed."""
    found = lookup(type(thing), site.name)
    if isinstance(found, property):
        return run.call(thread, site, found.fget, (thing,), {})
    if isinstance(found, METHODS):
        return getattr(thing, site.name)
    return STEP


def _looked_up(run: Run, thread: SimThread, site: Site, thing: Any) -> Any:
    """`__getattribute__` or `__getattr__` of a learner's."""
    cls = type(thing)
    always = lookup(cls, "__getattribute__")
    if follows(run, always):
        return play(run, thread, site, _with_fallback(run, site, thing, always))
    try:
        fields = object.__getattribute__(thing, "__dict__")
    except AttributeError:
        fields = {}
    if site.name in fields or id(thing) in run.names:
        return play(run, thread, site, _field_or_hook(run, thread, site, thing))
    return play(run, thread, site, _hook(run, thing, site.name))


def _hook(run: Run, thing: Any, name: str) -> Script:
    """`__getattr__`; Python notes in its AttributeError what was looked for, and where."""
    try:
        return (yield calling(run, lookup(type(thing), "__getattr__"), (thing, name)))
    except AttributeError as error:
        if error.name is None and error.obj is None:
            error.name, error.obj = name, thing
        raise


def _with_fallback(run: Run, site: Site, thing: Any, always: Any) -> Script:
    """`__getattribute__`; if it raises AttributeError, `__getattr__`."""
    try:
        return (yield calling(run, always, (thing, site.name)))
    except AttributeError as error:
        if lookup(type(thing), "__getattr__") is None:
            if error.name is None and error.obj is None:
                error.name, error.obj = site.name, thing
            raise
    return (yield from _hook(run, thing, site.name))


def _field_or_hook(run: Run, thread: SimThread, site: Site, thing: Any) -> Script:
    """The object's own field; where there is none, `__getattr__`."""
    found = yield Op(
        "read", f"{run.names.get(id(thing)) or type(thing).__name__}.{site.name}",
        lambda: (getattr(thing, site.name),) if site.name in vars(thing) else (),
        keys=_field_key(run, thing, site.name), mode=READ, show=lambda found: found[0] if found else "(no such field)",
    )  # fmt: skip
    if found:
        return found[0]
    return (yield from _hook(run, thing, site.name))


def _field_key(run: Run, thing: Any, name: str) -> tuple:
    """The key of a field, if the object is shared."""
    known = run.names.get(id(thing))
    return ((known, name),) if known else ()


def _described(run: Run, thread: SimThread, site: Site, thing: Any) -> Any:
    """A descriptor in Python."""
    found = lookup(type(thing), site.name)
    kind, fields = type(found), getattr(thing, "__dict__", {})
    data = hasattr(kind, "__set__") or hasattr(kind, "__delete__")
    if not hasattr(kind, "__get__") or (not data and site.name in fields):
        return STEP if id(thing) in run.names or run.meets(thread, site, thing) else getattr(thing, site.name)
    return run.call(thread, site, lookup(kind, "__get__"), (found, thing, type(thing)), {})


def _super(run: Run, thread: SimThread, site: Site, thing: Any) -> Any:
    """`super().name`: a property further up is followed."""
    cls, owner = thing.__thisclass__, thing.__self_class__
    mro = owner.__mro__
    for base in mro[mro.index(cls) + 1 :]:
        found = base.__dict__.get(site.name)
        if isinstance(found, property) and follows(run, found.fget):
            return run.call(thread, site, found.fget, (thing.__self__,), {})
        if found is not None:
            break
    return getattr(thing, site.name)


def _native(run: Run, thread: SimThread, site: Site, thing: Any) -> Any:
    """A field of an object written in C: it shows what the whole object holds."""
    name = site.name

    def look() -> Any:
        value = getattr(thing, name)
        if name == "__dict__":
            run.know_fields(thing, value)  # of an object of the thread's own, it is the thread's own
        else:
            _know(run, value, f"{run.names.get(id(thing)) or type(thing).__name__}.{name}")
        return value

    if name in ("__class__", "__doc__", "__module__", "shape", "dtype", "ndim", "device"):
        return look()
    touched = places.whole(run, thing, False)
    if not touched:
        run.meets(thread, site, thing)
        return look()
    said = f"{places.name_of(run, thing) or type(thing).__name__}.{name}"
    return step(run, thread, site, Op("read", said, look, touched=touched, show=same))


def _scope(run: Run, thread: SimThread, site: Site, thing: Any) -> Any:
    """The global variables that a function or a frame sees."""
    value = getattr(thing, site.name)
    places.know_scope(run, value)
    return value


READERS = MappingProxyType({
    PROPERTY: _property, CLASS: _class, MODULE: _module, LOCAL: _local, LOOKED_UP: _looked_up,
    DESCRIBED: _described, SUPER: _super, NATIVE: _native, SCOPE: _scope,
})  # fmt: skip


# -- writing and deleting ------------------------------------------------------------------------------


def write(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Write an attribute: request is (site, value, object)."""
    _, value, thing = request
    if type(thing) is types.FunctionType and site.name in CALLED_BY:
        run.program.block(f"{thing.__qualname__}.{site.name}", "a call looks at it inside")
    kind = site.kinds.get(type(thing))
    if kind is None:
        kind = classify(run, site, thing)
    if kind == DATA and (id(thing) in run.names or run.meets(thread, site, thing)):
        return STEP
    return _change(run, thread, site, thing, kind, "__set__", "__setattr__", (value,))


def delete(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """Delete an attribute."""
    thing = request[1]
    kind = site.kinds.get(type(thing))
    if kind is None:
        kind = classify(run, site, thing)
    return _change(run, thread, site, thing, kind, "__delete__", "__delattr__", ())


def _change(
    run: Run, thread: SimThread, site: Site, thing: Any, kind: int, setter: str, hook: str, value: tuple
) -> Any:
    """Write or delete: by a learner's own code if there is some, else as a step if others can see it."""
    cls = type(thing)
    if kind == LOOKED_UP:
        return run.call(thread, site, lookup(cls, hook), (thing, site.name, *value), {})
    if kind == PROPERTY:
        found = lookup(cls, site.name)
        function = found.fset if value else found.fdel
        if value and site.function is not function:
            calls.shorten(run, site, SETTER, cls, function)
        if function is not None:
            return run.call(thread, site, function, (thing, *value), {})
    if kind == DESCRIBED and follows(run, lookup(type(lookup(cls, site.name)), setter)):
        found = lookup(cls, site.name)
        return run.call(thread, site, lookup(type(found), setter), (found, thing, *value), {})
    if kind == CLASS:
        if follows(run, lookup(cls, hook)):
            return run.call(thread, site, lookup(cls, hook), (thing, site.name, *value), {})
        run.know_class(thing)
        run.program.rebind(site.name)
        return STEP
    if kind == MODULE:
        know_module(run, thing)
        run.program.write_global(vars(thing), site.name)
        run.program.rebind(site.name)
        return STEP
    if kind == LOCAL or id(thing) in run.names or run.meets(thread, site, thing):
        if kind == METHOD:
            run.program.rebind(site.name)
        if kind == NATIVE and site.name == "__dict__" and value:
            run.know_fields(thing, value[0])
        return STEP
    if kind == NATIVE and places.whole(run, thing, True):
        return STEP
    thread.effects += 1
    if value and site.name == "__dict__" and id(value[0]) in run.names:
        run.alias(thing, value[0])
    return site.perform(run, thread, site, (0, *value, thing))
