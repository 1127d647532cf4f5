"""Builtins written in Python. They are followed like a learner's code, so that others can move inside them.

They stand in for the builtin where a learner's code would be entered from C: a key function, an iterator, a special
method of an element. What is only looked at is looked at by the builtin itself.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any


def list_(source=()) -> Any:
    """list() of what a learner's code makes."""
    return [element for element in source]


def tuple_(source=()) -> Any:
    """tuple() of what a learner's code makes."""
    return tuple([element for element in source])


def set_(source=()) -> Any:
    """set() of what a learner's code makes."""
    return set([element for element in source])


def frozenset_(source=()) -> Any:
    """frozenset() of what a learner's code makes."""
    return frozenset([element for element in source])


def dict_(source=(), /, **more) -> Any:
    """dict() of a mapping or of pairs, and of names."""
    made = {}
    if hasattr(source, "keys"):
        for key in source.keys():
            made[key] = source[key]
    else:
        for key, value in source:
            made[key] = value
    for key in more:
        made[key] = more[key]
    return made


def sum_(source, /, start=0) -> Any:
    """sum(), by the elements' own addition."""
    for element in source:
        start = start + element
    return start


def any_(source, /) -> Any:
    """any(), by the elements' own truth."""
    for element in source:
        if element:
            return True
    return False


def all_(source, /) -> Any:
    """all(), by the elements' own truth."""
    for element in source:
        if not element:
            return False
    return True


def map_(function, *sources) -> Any:
    """map(): nothing is called before the first element is asked for."""
    if not sources:
        raise TypeError("map() must have at least two arguments.")
    return mapped(function, [iter(source) for source in sources])


def mapped(function, iterators) -> Iterator[Any]:
    """The elements of a map."""
    while True:
        given = []
        for iterator in iterators:
            try:
                given.append(next(iterator))
            except StopIteration:
                return
        yield function(*given)


def filter_(function, source, /) -> Any:
    """filter(): nothing is asked before the first element is."""
    return filtered(function, iter(source))


def filtered(function, source) -> Iterator[Any]:
    """The elements of a filter."""
    for element in source:
        if function(element) if function is not None else element:
            yield element


def enumerate_(iterable, start=0) -> Any:
    """enumerate()."""
    return numbered(iter(iterable), operator.index(start))


def numbered(source, number) -> Iterator[Any]:
    """The pairs of an enumeration."""
    for element in source:
        yield number, element
        number += 1


def zip_(*sources, strict=False) -> Any:
    """zip()."""
    return zipped([iter(source) for source in sources], strict)


def zipped(iterators, strict) -> Iterator[Any]:
    """The tuples of a zip; with `strict`, its errors."""
    while iterators:
        given = []
        for place, iterator in enumerate(iterators):
            try:
                given.append(next(iterator))
            except StopIteration:
                if strict and place:
                    before = f"s 1-{place}" if place > 1 else " 1"
                    raise ValueError(f"zip() argument {place + 1} is shorter than argument{before}")
                if strict:
                    for later, other in enumerate(iterators[1:], 2):
                        try:
                            next(other)
                        except StopIteration:
                            continue
                        before = f"s 1-{later - 1}" if later > 2 else " 1"
                        raise ValueError(f"zip() argument {later} is longer than argument{before}")
                return
        yield tuple(given)


def sorted_(source, /, *, key=None, reverse=False) -> Any:
    """sorted(): each key is asked for once, then the pairs are merged."""
    pairs = [(element if key is None else key(element), element) for element in source]
    if reverse:
        pairs.reverse()
    pairs = merged(pairs)
    if reverse:
        pairs.reverse()
    return [element for _, element in pairs]


def merged(pairs) -> Any:
    """Pairs in order; those that are equal stay as they were."""
    if len(pairs) < 2:
        return pairs
    middle = len(pairs) // 2
    left, right = merged(pairs[:middle]), merged(pairs[middle:])
    result, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if right[j][0] < left[i][0]:
            result.append(right[j])
            j += 1
        else:
            result.append(left[i])
            i += 1
    return result + left[i:] + right[j:]


NOTHING = object()


def min_(*sources, key=None, default=NOTHING) -> Any:
    """min()."""
    return best(sources, key, default, "min", False)


def max_(*sources, key=None, default=NOTHING) -> Any:
    """max()."""
    return best(sources, key, default, "max", True)


def best(sources, key, default, name, largest) -> Any:
    """The first smallest or largest element."""
    found = chosen = NOTHING
    for element in sources[0] if len(sources) == 1 else sources:
        value = element if key is None else key(element)
        if found is NOTHING or ((value > found) if largest else (value < found)):
            found, chosen = value, element
    if found is NOTHING:
        if default is NOTHING:
            raise ValueError(f"{name}() arg is an empty sequence")
        return default
    return chosen


def reduce_(function, source, /, *start) -> Any:
    """functools.reduce()."""
    iterator = iter(source)
    if start:
        value = start[0]
    else:
        try:
            value = next(iterator)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value") from None
    for element in iterator:
        value = function(value, element)
    return value


def reversed_(sequence, /) -> Any:
    """reversed() of a sequence that has no `__reversed__`."""
    return backwards(sequence, len(sequence))


def backwards(sequence, length) -> Iterator[Any]:
    """The elements of a sequence from the last to the first."""
    for place in range(length - 1, -1, -1):
        try:
            element = sequence[place]
        except (IndexError, StopIteration):
            return
        yield element


def by_index(sequence) -> Iterator[Any]:
    """The elements of a sequence that can only be indexed."""
    place = 0
    while True:
        try:
            element = sequence[place]
        except (IndexError, StopIteration):
            return
        yield element
        place += 1


def until(function, sentinel) -> Iterator[Any]:
    """iter() of a function and the value that ends it."""
    while True:
        element = function()
        if element == sentinel:
            return
        yield element


def extend_(elements, source) -> Any:
    """list.extend(), in one go at the end."""
    elements.extend([element for element in source])


def update_(elements, *sources) -> Any:
    """set.update(), in one go for each source."""
    for source in sources:
        elements.update([element for element in source])


def contains_(source, wanted) -> Any:
    """`in`: what is the same, or equal."""
    for element in source:
        if element is wanted or element == wanted:
            return True
    return False


def index_(source, wanted, start=0, stop=None) -> Any:
    """list.index()."""
    place = 0
    for element in source[start:stop]:
        if element is wanted or element == wanted:
            return place + start
        place += 1
    raise ValueError(f"{wanted!r} is not in list")


def count_(source, wanted) -> Any:
    """list.count()."""
    number = 0
    for element in source:
        if element is wanted or element == wanted:
            number += 1
    return number


def remove_(elements, wanted) -> Any:
    """list.remove()."""
    del elements[index_(elements, wanted)]


def any_of(function, thing, classes) -> Any:
    """isinstance() or issubclass() of several classes, one after the other."""
    for cls in classes:
        if function(thing, cls):
            return True
    return False


def equal_containers(one, other) -> Any:
    """`==` of two lists, tuples or dictionaries, by the elements' own `__eq__`."""
    if isinstance(one, dict):
        return len(one) == len(other) and equal_tables(one, other)
    if len(one) != len(other):
        return False
    place = 0
    while place < len(one) and place < len(other) and same(one[place], other[place]):
        place += 1
    if place < len(one) and place < len(other):
        return False
    return len(one) == len(other)  # a comparison may have changed them


def equal_tables(one, other) -> Any:
    """`==` of two dictionaries of one length."""
    for key in one:
        if key not in other or not same(one[key], other[key]):
            return False
    return True


def same(one, other) -> Any:
    """What containers take for equal: the same, or equal."""
    return one is other or bool(one == other)


def accumulate_(iterable, func=None, *, initial=None) -> Any:
    """itertools.accumulate()."""
    return accumulated(iter(iterable), func, initial)


def accumulated(source, function, initial) -> Iterator[Any]:
    """The totals so far."""
    total = initial
    first = initial is None
    if not first:
        yield total
    for element in source:
        if first:
            total, first = element, False
        else:
            total = total + element if function is None else function(total, element)
        yield total


def takewhile_(test, source) -> Any:
    """itertools.takewhile()."""
    return takewhile_of(test, iter(source))


def takewhile_of(test, source) -> Iterator[Any]:
    """Elements up to the first that fails the test."""
    for element in source:
        if not test(element):
            return
        yield element


def dropwhile_(test, source) -> Any:
    """itertools.dropwhile()."""
    return dropwhile_of(test, iter(source))


def dropwhile_of(test, source) -> Iterator[Any]:
    """Elements from the first that fails the test."""
    dropping = True
    for element in source:
        if dropping and test(element):
            continue
        dropping = False
        yield element


def starmap_(function, source) -> Any:
    """itertools.starmap()."""
    return starmap_of(function, iter(source))


def starmap_of(function, source) -> Iterator[Any]:
    """The results of calls with each element's parts."""
    for given in source:
        yield function(*given)


def filterfalse_(test, source) -> Any:
    """itertools.filterfalse()."""
    return filterfalse_of(test, iter(source))


def filterfalse_of(test, source) -> Iterator[Any]:
    """Elements that fail the test."""
    for element in source:
        if not (test(element) if test is not None else element):
            yield element


def chain_(*sources) -> Iterator[Any]:
    """itertools.chain()."""
    for source in sources:
        for element in source:
            yield element


def islice_(source, *limits) -> Iterator[Any]:
    """itertools.islice()."""
    wanted = slice(*limits)
    start, stop, step = wanted.start or 0, wanted.stop, wanted.step or 1
    place = 0
    iterator = iter(source)
    while stop is None or place < stop:
        try:
            element = next(iterator)
        except StopIteration:
            return
        if place >= start and (place - start) % step == 0:
            yield element
        place += 1


def groupby_(iterable, key=None) -> Any:
    """itertools.groupby()."""
    return grouped(iter(iterable), key)


def grouped(source, key) -> Iterator[Any]:
    """The runs of elements with one key: a run that is not walked through is skipped."""
    left = [NOTHING, NOTHING]

    def group(wanted) -> Iterator[Any]:
        while left[0] is wanted or (left[0] is not NOTHING and left[0] == wanted):
            wanted, element = left
            left[:] = NOTHING, NOTHING
            yield element
            for element in source:
                left[:] = (element if key is None else key(element)), element
                break

    for element in source:
        left[:] = (element if key is None else key(element)), element
        while left[0] is not NOTHING:
            wanted = left[0]
            members = group(wanted)
            yield wanted, members
            for _ in members:
                pass


def cmp_to_key_(mycmp) -> Any:
    """functools.cmp_to_key()."""

    class K:
        __slots__ = ("obj",)

        def __init__(self, obj) -> None:
            self.obj = obj

        def __lt__(self, other) -> Any:
            return mycmp(self.obj, other.obj) < 0

    return K
