"""Small programs drawn from the whole grammar: everything by which shared state is touched."""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable
from typing import Any

STATE = '''
import collections, copy, functools, itertools, operator, string, threading

class Num:
    """A number that can change, with the special methods of one."""
    def __init__(self, n): self.n = n
    def __add__(self, other): return self.n + other
    def __radd__(self, other): return other + self.n
    def __iadd__(self, other):
        self.n += other
        return self
    def __bool__(self): return self.n != 1
    def __eq__(self, other): return self.n == other
    def __lt__(self, other): return self.n < other
    def __str__(self): return str(self.n)
    def __format__(self, spec): return format(self.n, spec)
    def __call__(self, by): self.n = self.n * 2 + by; return self.n
    __hash__ = None

class Bag:
    """A container of one's own."""
    def __init__(self): self.kept = [1]
    def __len__(self): return len(self.kept)
    def __contains__(self, wanted): return wanted in self.kept
    def __iter__(self): return iter(self.kept)
    def __getitem__(self, place): return self.kept[place]
    def __setitem__(self, place, value): self.kept[place] = value
    def __getattr__(self, name): return (name, len(self.kept))

class State:
    made = 0
    __match_args__ = ("x", "y")
    def __init__(self):
        type(self).made = 0
        self.x, self.y = 1, 2
        self.items = [1, 2]
        self.pair = [3, 4]
        self.nested = ([0], {"k": [1]})
        self.table = {"k": 1}
        self.chosen = {1}
        self.line = collections.deque([5])
        self.data = bytearray(2)
        self.view = memoryview(self.data)
        self.keys = self.table.keys()
        self.num = Num(1)
        self.bag = Bag()
        self.lock = threading.Lock()
        self.source = iter([7, 8])
        self.counts = collections.Counter()
        self.lists = collections.defaultdict(list)
    @property
    def total(self): return self.x + self.y
    @total.setter
    def total(self, value): self.x = value - self.y
    def bump(self, by=1):
        self.y += by
        return self.y
    def key(self, value): return (value * 7 + self.x) % 3
    def each(self):
        yield self.x
        yield self.y

COUNT = 0
'''

STATEMENTS = tuple(
    line
    for line in """
s.x += 1
s.y = s.x
s.x, s.y = s.y, s.x
s.total += 1
s.total = s.num + 1
s.items[0] += 1
s.items[-1] = s.x
s.items.append(s.x)
s.items += [s.y]
s.items[1:] = [s.x]
s.pair[0], s.pair[1] = s.pair[1], s.pair[0]
s.nested[0][0] += 1
s.nested[1]["k"] += [s.x]
s.table["k"] += 1
s.table["n"] = s.x
s.table |= {"m": s.y}
s.table = {**s.table, "q": s.x}
s.chosen ^= {1, 2}
s.chosen.add(s.x)
s.line.append(s.x)
s.line.rotate()
s.view[0] += 1
s.data[0] = s.data[1] + 1
s.data[1] |= 2
s.num += 1
s.num.n = s.x
s.bag[0] = s.x
s.bag.kept.append(2)
s.counts["a"] += 1
s.lists["a"].append(s.x)
s.bump(by=s.x)
s.num(s.x)
type(s).made += 1
setattr(s, "y", getattr(s, "x") + 1)
operator.setitem(s.items, 0, s.y)
vars(s)["x"] += 1
if s.items: r.append(s.items.pop())
if not s.chosen: s.chosen.add(4)
if s.x < s.y: s.x = s.y
if s.num: s.num.n = 1
if 1 in s.items: s.items.remove(1)
if "k" in s.table: del s.table["k"]
if s.line: r.append(s.line.popleft())
while s.items and s.items[-1] > 1: s.items.pop()
for v in s.items: r.append(v)
for k, v in s.table.items(): r.append((k, v))
for v in s.bag: r.append(v)
for v in s.each(): r.append(v)
for place, v in enumerate(s.items): s.pair[place % 2] = v
for v in s.line: r.append(v)
with s.lock: s.x += 1
with s.lock: r.append((s.x, s.y))
del s.items[:1]
r.append(s.x)
r.append((s.x, s.y))
r.append(s.total)
r.append(State.made)
r.append(tuple(s.items))
r.append([*s.items, s.x])
r.append({**s.table})
r.append(f"{s.num:>{s.x}}{s.items}")
r.append("%s %s" % (s.num, s.x))
r.append("{0.x}{0.y}".format(s))
r.append("%(k)s" % s.table if "k" in s.table else None)
r.append(string.Template("$k").safe_substitute(s.table))
r.append([v for v in s.items if v > s.x])
r.append({v: s.y for v in s.items})
r.append(any(v == s.y for v in s.items))
r.append(sum(s.items))
r.append(sum(map(s.key, s.items)))
r.append(sorted(s.items, key=s.key))
r.append(max(s.items, key=lambda v: v - s.x, default=None))
r.append(min(s.table, key=s.table.get, default=None))
r.append(functools.reduce(lambda a, b: a + b * s.x, s.items, 0))
r.append(list(zip(s.items, s.pair)))
r.append(next(s.source, None))
r.append(list(itertools.islice(s.source, 1)))
r.append(len(s.bag) + s.x)
r.append(1 in s.bag)
r.append(s.bag.missing)
r.append(s.bag[0])
r.append(s.num + s.x)
r.append(s.x + s.num)
r.append(s.num == s.y)
r.append(s.num < s.y < 3)
r.append(str(s.num))
r.append(s.items == s.pair)
r.append(s.table == {"k": 2})
r.append(s.x if s.items else s.y)
r.append(s.items and s.x)
r.append(not s.chosen or s.y)
r.append(s.chosen <= {1, 2})
r.append(len(s.keys))
r.append(list(s.keys))
r.append(bytes(s.view[:1]))
r.append(s.items[::-1])
r.append(s.nested == ([1], {"k": [1]}))
r.append(copy.copy(s.pair))
r.append(copy.deepcopy(s.nested[0]))
r.append(list(reversed(s.items)))
r.append(operator.itemgetter(0, -1)(s.pair))
r.append(operator.attrgetter("x", "y")(s))
r.append(dict(s.table))
r.append(s.counts["a"])
r.append("a" in s.lists)
r.append(hasattr(s, "z"))
s.z = s.x
a, b = s.pair; r.append(a - b)
a, *b = s.items; r.append((a, b))
(a, b), c = s.pair, s.x; r.append((a, b, c))
r.append((lambda a, b: a * 10 + b)(*s.pair))
r.append((lambda v=s.x: v)())
r.append([u := s.x, u + s.y])
match s.items: case [v, *_]: r.append(v)
match s.items: case [1, v]: r.append(v)
match s.table: case {"k": v, **more}: r.append((v, sorted(more)))
match s: case State(1, v): r.append(v)
match s.x: case 1 if s.items: r.append("hit")
global COUNT; COUNT += 1
global COUNT; r.append(COUNT)
""".strip().splitlines()
)


# Loops that wait for the other thread; many of them in vain.
WAITS = (
    "while s.x == 1: pass",
    "while s.y == 2 and s.x == 1: pass",
    "while s.items[0] == 1: pass",
    "while len(s.line) == 1 and not s.counts: pass",
    "while s.table == {'k': 1}: pass",
    "while not s.num: pass",
    "while s.view[0] == 0 and s.y < 3: pass",
    "while s.bag.kept[0] != s.x + 1: pass",
    "while True:\n        if s.x != 1 or 2 not in s.items: break",
)


def drawn(seed: int, most: int = 2, waits: bool = False) -> str:
    """The source of a program of two threads, `one(s)` and `other(s)`, with at most so many statements each.

    With `waits`, one of them waits before or after its first statement, sometimes both do.
    """
    draw = random.Random(seed)
    text = [STATE]
    for name in ("one", "other"):
        text += [f"def {name}(s):", "    r = []"]
        lines = [draw.choice(STATEMENTS) for _ in range(draw.randint(1, most))]
        if waits and (name == "one" or draw.random() < 0.3):
            lines.insert(draw.randint(0, 1), draw.choice(WAITS))
        if any(line.startswith("global COUNT") for line in lines):
            text.append("    global COUNT")
        for line in lines:
            line = line.removeprefix("global COUNT; ")
            if line.startswith("match"):
                head, _, case = line.partition(": case ")
                text += [f"    {head}:", f"        case {case}"]
            else:
                text.append(f"    {line}")
        text += ["    return repr(r)", ""]
    text += [
        "def setup():", "    global COUNT", "    COUNT = 0", "    return State()", "",
        "def end(s):",
        "    own = [s.x, s.y, s.items, s.pair, s.nested, s.table, sorted(s.chosen), list(s.line), bytes(s.data)]",
        "    more = [s.num.n, s.bag.kept, dict(s.counts), dict(s.lists), State.made, COUNT, sorted(vars(s))]",
        "    return repr(own + more)",
    ]  # fmt: skip
    return "\n".join(text) + "\n"


def program(seed: int, most: int = 2, waits: bool = False) -> tuple[str, dict[str, Callable[..., Any]]]:
    """The source of a drawn program, and what it defines."""
    source, filename = drawn(seed, most, waits), f"<drawn {seed} {waits}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    scope: dict[str, Any] = {"__name__": f"drawn_{seed}"}
    exec(compile(source, filename, "exec"), scope)
    return source, scope
