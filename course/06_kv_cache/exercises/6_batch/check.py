"""Exercise 06.6: one cached step for a batch of texts of different lengths, with grouped heads and positions."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sharedstate.checks.tensors import is_plain_tensor, plain_tensor, unchanged
from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict

from .attention import grouped, in_turn, near

if TYPE_CHECKING:
    from torch import Tensor

Heads = list[list[float]]            # [heads, size]: what one token has
Token = tuple[int, Heads, Heads, Heads]  # (row, q, k, v)
VISIBLE = "one row, three tokens"
TWO, ENDED, LARGE = "two caches in turn", "a row is used again", "five rows, room for thirty"
LOW, LOWEST = "very low scores", "scores below -1e9"
LOWS = MappingProxyType({LOW: 60.0, LOWEST: 1e5})
BASE = 100.0
TOLERANCE = 2e-4


@dataclass(frozen=True)
class Way:
    """How a cache may go about it; the right way is the one without arguments.

    place: of which number of tokens the position is made; reads: how far a row is read; turns: what is turned;
    group: which KV head a head reads; ends: what is forgotten when a text ends; rows: where a token is written.
    """

    place: str = "own"
    reads: str = "own"
    turns: str = "qk"
    group: Any = grouped
    ends: str = "all"
    rows: str = "named"


class BatchBox(Exercise):
    """The answer is the class BatchCache(rows, kv_heads, capacity, size): step(rows, q, k, v), release(row)."""

    id = "06.6"
    title = "Many texts, one step"
    answer = "BatchCache"
    minutes = 16
    difficulty = 3
    points = 4.0
    expects = "a class"
    seconds = 10.0

    def cases(self, seed: int) -> list[Case]:
        """One row; then lengths, heads, orders, a row that is used again; numbers alone are drawn."""
        draw = self.draw(seed)
        start, size = draw.randrange(10**6), draw.choice((4, 6))
        plans: dict[str, tuple[int, int, list[list[int]]]] = {  # label: heads, KV heads, rows of each step ([-1, row])
            VISIBLE: (2, 2, [[0], [0], [0]]),
            "two rows in step": (2, 2, [[0, 1]] * 3),
            "rows of different lengths": (2, 2, [[0], [0], [0, 1], [0, 1], [1]]),
            "a row pauses": (2, 2, [[0, 1], [0], [0], [0, 1], [1]]),
            "grouped heads": (6, 2, [[0], [0, 1], [0, 1]]),
            "one KV head": (3, 1, [[1], [0, 1], [1]]),
            "rows in another order": (2, 1, [[2, 0], [0, 2], [1, 0, 2], [2, 1]]),
            "the last row alone": (2, 2, [[2], [2], [2, 1]]),
            "filled to the last place": (2, 1, [[0]] * 7 + [[0, 1]]),
            ENDED: (2, 2, [[0, 1], [0, 1], [0, 1], [-1, 0], [0, 1], [0, 1]]),
            "used again beside a long one": (4, 2, [[0, 1]] * 3 + [[1], [-1, 0], [0], [0, 1], [-1, 1], [1, 0]]),
            "ended when nothing was there": (2, 2, [[-1, 1], [1], [0, 1], [-1, 0], [-1, 0], [0]]),
            LOW: (2, 2, [[0], [0], [0, 1], [1, 0]]),
            LOWEST: (2, 1, [[1], [0], [0, 1], [1, 0]]),
            LARGE: (2, 1, [[4]] * 20 + [[3, 4]]),
            TWO: (4, 2, [[0], [0, 1], [1]]),
        }
        return [Case(label, {"heads": heads, "kv_heads": kv, "size": size + 2 * (n % 2), "seed": start + n, "plan": plan,
                             "rows": 5 if label == LARGE else 3, "capacity": 30 if label == LARGE else 8}, label == VISIBLE)
                for n, (label, (heads, kv, plan)) in enumerate(plans.items())]

    def run(self, answer: Any, case: Case) -> object:
        """Play the plan on one cache, or on two in turn; the caller uses its tensors again after each step."""
        texts = range(1 + (case.label == TWO))
        caches = [answer(case["rows"], case["kv_heads"], case["capacity"], case["size"]) for _ in texts]
        found: list[list[object]] = [[] for _ in texts]
        kept: list[tuple[Tensor, Tensor]] = []
        for steps in zip(*(_steps(case, text) for text in texts), strict=True):
            for cache, step, told in zip(caches, steps, found, strict=True):
                if isinstance(step, int):
                    cache.release(step)
                    continue
                given = _stepped(cache, step)
                told.append(plain_tensor(given, "step"))
                kept.append((given, given.clone()))
        if not all(now.equal(then) for now, then in kept):
            said = "an answer that step gave earlier has changed since. Give a new tensor each time."
            raise AnswerProblem("overwrites-its-answers", said)
        return {"answers": found}

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare with attention over each row's own past; name the mistake that would give what was found."""
        found = value.get("answers") if type(value) is dict and len(value) == 1 else None
        if type(found) is not list or len(found) != 1 + (case.label == TWO):
            return self.unseen("this cache")
        for text, told in enumerate(found):
            steps = [step for step in _steps(case, text) if not isinstance(step, int)]
            if type(told) is not list or len(told) != len(steps):
                return self.unseen("this cache")
            for number, (one, step) in enumerate(zip(told, steps, strict=True)):
                shape = [len(step), case["heads"], case["size"]]
                if not is_plain_tensor(one) or one["shape"] != shape:
                    got = one["shape"] if is_plain_tensor(one) else "no tensor"
                    said = f"Case '{case.label}', step {number + 1}: step gave {got}, wanted {shape}."
                    return self.wrong("wrong-shape", said)
            data = [one["data"] for one in told]
            bad = next((n for n, (one, right) in enumerate(zip(data, _played(case, text, Way()), strict=True))
                        if not near(one, right, TOLERANCE)), None)
            if bad is not None:
                reason, words = _reason(case, text, data)
                return self.wrong(reason, f"Case '{case.label}', step {bad + 1} (rows {case['plan'][bad]}): {words}")
        return self.right("Every text is continued from its own past, at its own place, in one step for all.")


def _stepped(cache: Any, step: list[Token]) -> Tensor:
    """Take one step with tensors that the caller writes over afterwards."""
    import torch

    rows = [row for row, *_ in step]
    parts = [torch.tensor([token[part] for token in step]) for part in (1, 2, 3)]
    copies, named = [part.clone() for part in parts], [*rows]
    given = cache.step(named, *copies)
    if given is None:
        raise AnswerProblem("untouched", "step returns nothing yet.")
    plain_tensor(given, "step")  # says so when it is none
    if given.isnan().any():
        raise AnswerProblem("not-a-number", "step gave NaN. A token may always look at itself: is it in the cache yet?")
    for copied, part in zip(copies, parts, strict=True):
        unchanged(copied, part, "step")
        copied.fill_(1e4)
    if named != rows:
        raise AnswerProblem("changes-its-input", "step changes the list of rows. It belongs to the caller.")
    return given


def _steps(case: Case, text: int) -> Iterator[list[Token] | int]:
    """Yield each step's tokens, or the row whose text ends."""
    draw = random.Random(f"batch:{case['seed']}:{text}")
    low = LOWS.get(case.label, 1.0)

    def numbers(heads: int, by: float) -> Heads:
        return [[by * draw.uniform(0.5, 2) if low > 1 else draw.uniform(-2, 2) for _ in range(case["size"])]
                for _ in range(heads)]

    for rows in case["plan"]:
        if rows[0] == -1:
            yield rows[1]
        else:
            yield [(row, numbers(case["heads"], low), numbers(case["kv_heads"], -low), numbers(case["kv_heads"], 1.0))
                   for row in rows]


def turned(heads: Heads, position: int) -> Heads:
    """Return what a token at this position has: channel i and channel i + half turned together, as in the lab."""
    half = len(heads[0]) // 2
    angles = [position / BASE ** (i / half) for i in range(half)]
    return [[*(one[i] * math.cos(a) - one[i + half] * math.sin(a) for i, a in enumerate(angles)),
             *(one[i] * math.sin(a) + one[i + half] * math.cos(a) for i, a in enumerate(angles))] for one in heads]


def _played(case: Case, text: int, way: Way) -> list[list[Heads]]:
    """Return the answers of every step [steps][tokens][heads][size] of a cache that goes about it in some way."""
    none = [[0.0] * case["size"]] * case["kv_heads"]
    table: list[list[tuple[Heads, Heads]]] = [[(none, none)] * case["capacity"] for _ in range(case["rows"])]
    lengths, places = [0] * case["rows"], [0] * case["rows"]
    answers, number = [], 0
    for step in _steps(case, text):
        if isinstance(step, int):
            lengths[step] = 0 if way.ends == "all" else lengths[step]
            places[step] = 0 if way.ends in ("all", "place") else places[step]
            continue
        rows = [row if way.rows == "named" else n for n, (row, *_) in enumerate(step)]
        before = [*places]
        turned_q = []
        for row, (_, q, k, v) in zip(rows, step, strict=True):
            at = {"own": before[row], "longest": max(before[one] for one in rows), "step": number}[way.place]
            place = lengths[row] % case["capacity"]
            table[row][place] = (turned(k, at) if "k" in way.turns else k, turned(v, at) if "v" in way.turns else v)
            lengths[row], places[row] = lengths[row] + 1, places[row] + 1
            turned_q.append(turned(q, at) if "q" in way.turns else q)
        longest = max(lengths[row] for row in rows)
        ends = [{"own": lengths[row], "longest": longest, "all": case["capacity"], "late": max(1, lengths[row] - 1)}
                for row in rows]
        answers.append([_attended(q, table[row][:end[way.reads]], way.group)
                        for row, end, q in zip(rows, ends, turned_q, strict=True)])
        number += 1
    return answers


def _attended(q: Heads, past: Sequence[tuple[Heads, Heads]], group: Any) -> Heads:
    """Return the answers of one token's heads over a past of (keys, values)."""
    answers = []
    for head, query in enumerate(q):
        own = group(head, len(q), len(past[0][0]))
        scores = [sum(a * b for a, b in zip(query, k[own], strict=True)) / len(query) ** 0.5 for k, _ in past]
        weights = [math.exp(score - max(scores)) for score in scores]
        answers.append([sum(w * v[own][c] for w, (_, v) in zip(weights, past, strict=True)) / sum(weights)
                        for c in range(len(query))])
    return answers


KNOWN: tuple[tuple[str, str, Way], ...] = (
    ("no-positions", "neither queries nor keys are turned. Without positions a text is a bag of words.", Way(turns="")),
    ("turns-one-only", "the keys are turned and the queries are not: turn both, each to its token's place.",
     Way(turns="k")),
    ("turns-one-only", "the queries are turned and the keys are not: turn both, each to its token's place.",
     Way(turns="q")),
    ("turns-the-values", "the values are turned, too. Only queries and keys have a place.", Way(turns="qkv")),
    ("position-of-another", "the position is that of the longest text. Each token stands at its own text's length.",
     Way(place="longest")),
    ("position-of-another", "the position is the number of the step. A row that pauses does not move on.",
     Way(place="step")),
    ("wrong-group", "neighbouring query heads share a KV head: 0 and 1 the first, not every second one.",
     Way(group=in_turn)),
    ("reads-too-far", "a row is read as far as the longest one: beyond its own tokens lies what is not its own.",
     Way(reads="longest")),
    ("reads-too-far", "a row is read to the end of its room: places without a token take part.", Way(reads="all")),
    ("own-token-missing", "the new token is not in the cache when it is asked.", Way(reads="late")),
    ("wrong-row", "token number n was written into row n. It belongs to row rows[n].", Way(rows="n-th")),
    ("not-released", "after release the old text is still read.", Way(ends="")),
    ("not-released", "after release the old text is still read, though positions begin anew.", Way(ends="place")),
)
SPECIAL: Mapping[str, tuple[str, str]] = MappingProxyType({
    TWO: ("shares-its-cache", "with a second cache in turn the answers are others: one holds what belongs to the "
          "other."),
    **dict.fromkeys(LOWS, ("loses-low-scores", "every score lies far below zero, and places without a token have won. "
                           "Give them -inf.")),
    LARGE: ("long-rows", "a cache of five rows, and texts of more than sixteen tokens: something in yours is made for "
            "fewer."),
    ENDED: ("not-released", "after release something of the old text is left."),
})


def _reason(case: Case, text: int, found: list) -> tuple[str, str]:
    """Name the mistake: the first of the known ones that gives these numbers in every step."""
    for reason, words, way in KNOWN if case.label not in LOWS else ():  # an empty place that wins is another slip
        answers = _played(case, text, way)
        if all(near(one, other, TOLERANCE) for one, other in zip(found, answers, strict=True)):
            return reason, words
    said = "these are not the answers of each token over its own text. Was a tensor kept that belongs to the caller?"
    return SPECIAL.get(case.label, ("wrong-answer", said))


EXERCISE = BatchBox()
