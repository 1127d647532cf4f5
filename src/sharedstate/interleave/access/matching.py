"""Patterns: whether a thing fits one, and its parts, as `match` asks for them."""

from __future__ import annotations

from typing import Any

from sharedstate.interleave.access import operators, places
from sharedstate.interleave.access.followed import own
from sharedstate.interleave.access.models import Op, Script, asking, calling, play, same, step
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.sites import Site

# What a class is to a pattern: Py_TPFLAGS_SEQUENCE, Py_TPFLAGS_MAPPING, _Py_TPFLAGS_MATCH_SELF.
SEQUENCE, MAPPING, MATCH_SELF = 1 << 5, 1 << 6, 1 << 22


def match_sequence(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """The parts of a sequence that fits; None for one that does not.

    Wanted are so many elements ("2"), or so many before and after a star: "1+2" with the list of what is between them
    as a part of its own, "1-2" without it. Where no element is looked at ("2=0", "1~2"), the length alone counts.
    """
    thing = request[1]
    if not type(thing).__flags__ & SEQUENCE:
        return None
    wanted = _Wanted(site.name)
    if any(own(run, thing, name) for name in ("__len__", "__getitem__", "__iter__")):
        return play(run, thread, site, _sequence(run, site, thing, wanted))
    if wanted.blind and wanted.unbound:
        return []

    def look() -> Any:
        return wanted.parts(thing) if wanted.unbound or wanted.fits(len(thing)) else None

    return operators.look(run, thread, site, (thing,), look, operators.contents)


class _Wanted:
    """How many elements a pattern wants, and what it does with those at its star."""

    def __init__(self, text: str) -> None:
        self.kind = next((sign for sign in "+-=~" if sign in text), "")
        before, _, after = text.partition(self.kind) if self.kind else (text, "", "0")
        self.before, self.after = int(before), int(after)
        self.star = self.kind in ("+", "-", "~")
        self.blind = self.kind in ("=", "~")
        self.unbound = self.star and not self.before + self.after  # no length is asked for

    def fits(self, length: int) -> bool:
        """Whether a sequence of this length fits."""
        least = self.before + self.after
        return length >= least if self.star else length == least

    def places(self, length: int) -> list[int]:
        """The elements that are looked at one by one where those at the star are not."""
        return [*range(self.before), *range(length - self.after, length)]

    def parts(self, elements: Any) -> list[Any]:
        """The parts of a sequence that fits."""
        if self.blind:
            return []
        if self.kind == "-":
            return [elements[place] for place in self.places(len(elements))]
        if not self.star:
            return list(elements)
        elements = list(elements)
        end = len(elements) - self.after
        return [*elements[: self.before], elements[self.before : end], *elements[end:]]


def _sequence(run: Run, site: Site, thing: Any, wanted: _Wanted) -> Script:
    """A learner's own sequence: its length, then its elements, by number or walked through, as Python does it."""
    if wanted.blind and wanted.unbound:
        return []
    length = 0 if wanted.unbound else (yield calling(run, len, (thing,)))
    if not wanted.unbound and not wanted.fits(length):
        return None
    if wanted.blind:
        return []
    found = []
    if wanted.kind == "-":
        for place in wanted.places(length):
            found.append((yield asking(run, site, "get_item", "", thing, place)))
        return found
    least = wanted.before + wanted.after
    found = yield asking(run, site, "unpack", "" if wanted.star else str(least), thing)
    if not wanted.star and len(found) > least:
        raise ValueError(f"too many values to unpack (expected {least})")
    if len(found) < least:
        few = f"expected {'at least ' if wanted.star else ''}{least}, got {len(found)}"
        raise ValueError(f"not enough values to unpack ({few})")
    return wanted.parts(found)


def match_mapping(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """The values of these keys, and what is left if that is wanted; None if one is missing."""
    _, thing, keys = request
    if not type(thing).__flags__ & MAPPING:
        return None
    for place, key in enumerate(keys):
        if key in keys[:place]:
            raise ValueError(f"mapping pattern checks duplicate key ({key!r})")

    def fit() -> Any:
        if any(key not in thing for key in keys):
            return None
        return [thing[key] for key in keys]  # every key is there: nothing is made

    if any(own(run, thing, name) is not None for name in ("__getitem__", "get", "keys")):
        return play(run, thread, site, _mapping(run, site, thing, keys))
    if isinstance(thing, dict):
        touched = [entry for key in keys for entry in places.item(run, thing, key, False)]
    else:
        touched = places.whole(run, thing, False)
    if not touched:
        run.meets(thread, site, thing)
        found = fit()
        return [*found, _without(dict(thing), keys)] if site.name and found is not None else found
    target = places.name_of(run, thing) or ""
    read = Op("read", target, fit, touched=touched, show=same)
    if not site.name:
        return step(run, thread, site, read)
    rest = Op("read", target, lambda: dict(thing), touched=places.whole(run, thing, False), show=same)
    return play(run, thread, site, _and_rest(read, rest, keys))


def _and_rest(read: Op, rest: Op, keys: tuple) -> Script:
    """A pattern with `**rest`: the keys are looked up first, then everything is copied; others can come in between."""
    found = yield read
    return None if found is None else [*found, _without((yield rest), keys)]


def _without(rest: dict, keys: tuple) -> dict:
    """The copy without the keys that were matched. Raises KeyError, as Python does, if one has gone meanwhile."""
    for key in keys:
        del rest[key]
    return rest


def _mapping(run: Run, site: Site, thing: Any, keys: tuple) -> Script:
    """A learner's own mapping: asked by get()."""
    absent, found = object(), []
    for key in keys:
        value = yield asking(run, site, "method", "get", thing, (key, absent))
        if value is absent:
            return None
        found.append(value)
    if site.name:
        found.append(_without((yield calling(run, dict, (thing,))), keys))
    return found


def match_class(run: Run, thread: SimThread, site: Site, request: tuple) -> Any:
    """The attributes of an instance of a class, those by position first; None if it does not fit."""
    _, thing, cls, names = request
    return play(run, thread, site, _class(run, site, thing, cls, names, int(site.name)))


def _class(run: Run, site: Site, thing: Any, cls: Any, names: tuple, positional: int) -> Script:
    """`Class(x, name=y)`."""
    if not isinstance(cls, type):
        raise TypeError("called match pattern must be a class")
    if not (yield calling(run, isinstance, (thing, cls))):
        return None
    first: list[Any] = []
    by_name: tuple = ()
    if positional:
        absent = object()
        wanted = yield calling(run, getattr, (cls, "__match_args__", absent))
        itself = wanted is absent and bool(cls.__flags__ & MATCH_SELF)
        wanted = () if wanted is absent else wanted
        if type(wanted) is not tuple:
            raise TypeError(f"{cls.__name__}.__match_args__ must be a tuple (got {type(wanted).__name__})")
        most = 1 if itself else len(wanted)
        if positional > most:
            plural = "" if most == 1 else "s"
            raise TypeError(f"{cls.__name__}() accepts {most} positional sub-pattern{plural} ({positional} given)")
        if itself:
            first = [thing]
        else:
            by_name = wanted[:positional]
    seen = set()
    for name in (*by_name, *names):
        if not isinstance(name, str):
            raise TypeError(f"__match_args__ elements must be strings (got {type(name).__name__})")
        if name in seen:
            raise TypeError(f"{cls.__name__}() got multiple sub-patterns for attribute {name!r}")
        seen.add(name)
        try:
            first.append((yield asking(run, site, "read", name, thing)))
        except AttributeError:
            return None
    return first
