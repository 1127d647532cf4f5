"""Exercise 06.1: one layer's box of keys and values, that appends and is asked."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sharedstate.checks.tensors import is_plain_tensor, plain_tensor, unchanged
from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict

from .attention import (
    Rows,
    attend,
    everything,
    in_turn,
    near,
    numbers,
    part,
    top_left,
)

if TYPE_CHECKING:
    from torch import Tensor

VISIBLE = "one token at a time"
MANY = 200                # new boxes that are made in the hope for an old address
IN_TURN = (1, 0)          # which text goes into which of two boxes
SEVERAL, USED_AGAIN, ASKED = "two boxes in turn", "the caller uses its tensors again", "asked twice"
LOW, LOWEST, SMALL = "very low scores", "scores below -1e9", "scores below -1e30"
HALF, BRAIN = "half precision", "bfloat16"
SCALES = MappingProxyType({LOW: (300.0, -300.0), LOWEST: (1e5, -1e5), SMALL: (1e16, -1e16)})
LATE, LONG, LONGER = "asked for the last tokens only", "a long text", "a very long text"
UNASKED, ACROSS = "nobody asks after the first piece", "asked across two pieces"
AFTER = "a new box, after another was thrown away"
Keys = Callable[[list[tuple[int, int]]], list[int]]
QUERIES = MappingProxyType({LATE: (1, 1), LONG: (40, *[0] * 69, 1, 30), UNASKED: (0, 1, 2), ACROSS: (2, 3, 3), LONGER: (1, 1, 2)})
NAN = ("attend gave NaN: a query that may look at no key at all. causal_mask(queries, keys) leaves each its own token,"
       " if the box holds every token that was appended.")
DTYPES = MappingProxyType({"32-bit floats": "float32", HALF: "float16", BRAIN: "bfloat16"})
TOLERANCE = MappingProxyType({"float64": 1e-9, "float32": 1e-4, "float16": 0.03, "bfloat16": 0.1})


class LayerBox(Exercise):
    """The answer is the class LayerCache: append(k, v), attend(q)."""

    id = "06.1"
    title = "A layer's box"
    answer = "LayerCache"
    minutes = 10
    difficulty = 2
    points = 3.0
    expects = "a class"

    def cases(self, seed: int) -> list[Case]:
        """Single tokens; then pieces, grouped heads, formats, and who else holds the tensors."""
        draw = self.draw(seed)
        start, size = draw.randrange(10**6), draw.choice((2, 3, 5))
        shapes = (
            (VISIBLE, 2, 2, [1, 1, 1]), (AFTER, 2, 2, [1, 1, 1]), (SEVERAL, 2, 2, [2, 1, 2]),
            ("a prompt, then single tokens", 2, 2, [draw.randrange(3, 6), 1, 1, 1]),
            ("in pieces", 2, 2, [2, draw.randrange(2, 4), 3]), ("grouped heads", 6, 2, [3, 1, 2]),
            ("one KV head", 3, 1, [2, 1, 2]), ("32-bit floats", 2, 1, [2, 1, 1]), (LATE, 2, 2, [4, 1]),
            (ASKED, 2, 1, [2, 2]), (USED_AGAIN, 2, 2, [2, 1, 1]), (UNASKED, 2, 1, [2, 1, 2]),
            (LOW, 2, 2, [2, 3, 1]), (LOWEST, 2, 1, [3, 2]), (SMALL, 2, 2, [3, 1, 2]), (HALF, 4, 2, [2, 1, 3]), (BRAIN, 4, 2, [2, 1, 3]),
            (ACROSS, 2, 2, [2, 1, 2]), (LONG, 1, 1, [40, *[1] * 70, 30]), (LONGER, 1, 1, [4200, 1, 2]),
        )
        return [Case(label, {"heads": heads, "kv_heads": kv, "size": size + (n > 2 and n % 2), "pieces": pieces, "seed": start + n,
                             "asked": list(QUERIES.get(label, pieces)),
                             "dtype": DTYPES.get(label, "float64")}, label == VISIBLE)
                for n, (label, heads, kv, pieces) in enumerate(shapes)]

    def run(self, answer: Any, case: Case) -> object:
        """Feed the pieces to one box, or to two in turn; return every answer as plain data."""
        if case.label != SEVERAL:
            return {"outputs": self._fed_in_turn(answer, case, (0,))}
        return {"outputs": [*self._fed_in_turn(answer, case, (0,)), *self._fed_in_turn(answer, case, IN_TURN)]}

    def _fed_in_turn(self, answer: Callable[[], Any], case: Case, numbers: tuple[int, ...]) -> list[list[object]]:
        """Feed a box for each text, piece by piece in turn; return every box's answers, where it was asked."""
        made = (lambda: _in_its_place(answer, case)) if case.label == AFTER else answer
        boxes, texts = [made() for _ in numbers], [_text(case, n) for n in numbers]
        outputs: list[list[object]] = [[] for _ in numbers]
        kept = []
        for (start, stop), queries in zip(_bounds(case), case["asked"], strict=True):
            for box, (q, k, v), found in zip(boxes, texts, outputs, strict=True):
                answered = _fed(box, q[:, stop - queries:stop], k[:, start:stop], v[:, start:stop], case)
                if queries:
                    found.append(plain_tensor(answered, "attend"))
                    kept.append((answered, answered.clone()))
        _require_kept(kept)
        return outputs

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare with causal attention over the whole text; name the mistake that would give what was found."""
        outputs = value.get("outputs") if type(value) is dict and len(value) == 1 else None
        numbers = (0, *IN_TURN) if case.label == SEVERAL else (0,)
        if type(outputs) is not list or len(outputs) != len(numbers):
            return self.unseen()
        shared = self._shared(case, outputs)
        if shared:
            return shared
        for number, found in zip(numbers, outputs, strict=True):
            if type(found) is not list or len(found) != len(_asked(case)):
                return self.unseen()
            problem = self._problem(case, number, found)
            if problem:
                return problem
        return self.right("The box holds what was written, and every query sees exactly its past.")

    def _shared(self, case: Case, outputs: list[object]) -> Verdict | None:
        """The same text alone, and in turn with another one, must give the same."""
        if case.label != SEVERAL or _same(outputs[0], outputs[2]):
            return None
        said = "a text gives other answers when a second box is used in turn: one holds what belongs to the other."
        return self.wrong("shares-its-box", f"Case '{case.label}': {said}")

    def _problem(self, case: Case, number: int, outputs: list[object]) -> Verdict | None:
        """What is wrong with the answers of one box: the first piece that is, named by what explains them all."""
        pieces = _asked(case)
        for piece, found in zip(pieces, outputs, strict=True):
            shape, dtype = [case["heads"], case["asked"][piece], case["size"]], case["dtype"]
            said = f"Case '{case.label}', piece {piece + 1} of {case['pieces']}: "
            if not is_plain_tensor(found) or found["shape"] != shape:
                got = found["shape"] if is_plain_tensor(found) else "no tensor"
                return self.wrong("wrong-shape", f"{said}attend gave {got}, wanted {shape}.")
            if found["dtype"] != dtype:
                return self.wrong("wrong-dtype", f"{said}{dtype} goes in, {found['dtype']} comes out.")
        tolerance = TOLERANCE[case["dtype"]]
        data = [found["data"] for found in outputs if is_plain_tensor(found)]
        wanted = [_wanted(case, number, piece) for piece in pieces]
        wrong = [n for n, found, right in zip(pieces, data, wanted, strict=True) if not near(found, right, tolerance)]
        if not wrong:
            return None
        reason, words = _reason(case, number, data, tolerance)
        return self.wrong(reason, f"Case '{case.label}', piece {wrong[0] + 1} of {case['pieces']}: {words}")


def _fed(box: Any, q: Tensor, k: Tensor, v: Tensor, case: Case) -> Any:
    """Append one piece and ask, if there are queries; the tensors are copies, and the caller writes over them
    where the case says so."""
    import torch

    given = [part.clone() for part in (q, k, v)]
    box.append(given[1], given[2])
    if case.label == USED_AGAIN:
        for tensor in given[1:]:
            tensor.fill_(1e4)
    found = box.attend(given[0]) if q.shape[1] else q
    if found is None:
        raise AnswerProblem("untouched", "attend returns nothing yet.")
    if case.label == ASKED and isinstance(found, torch.Tensor):
        with torch.inference_mode():            # an answer belongs to whoever asked: he may write on it
            found.fill_(0.0)
        found = box.attend(given[0])
    if isinstance(found, torch.Tensor) and found.isnan().any():
        raise AnswerProblem("not-a-number", NAN)
    if case.label != USED_AGAIN:
        for tensor, before in zip(given, (q, k, v), strict=True):
            unchanged(tensor, before, "the box")
    plain_tensor(found, "attend")               # says so when it is none
    return found


def _in_its_place(answer: Callable[[], Any], case: Case) -> object:
    """Fill a box, throw it away, and return a new one: at the same address, if Python gives it again."""
    box, (_, k, v) = answer(), _text(case, 1)
    box.append(k, v)
    place = id(box)
    del box
    others = [answer()]
    while id(others[-1]) != place and len(others) < MANY:
        others.append(answer())
    return others[-1]


def _require_kept(kept: list[tuple[Tensor, Tensor]]) -> None:
    """Raise AnswerProblem when an answer that was given has changed since: it shares memory with a later one."""
    if not all(now.equal(then) for now, then in kept):
        said = "an answer that attend gave earlier has changed since. Give a new tensor each time."
        raise AnswerProblem("overwrites-its-answers", said)


def _asked(case: Case) -> list[int]:
    """Return the pieces after which the box is asked."""
    return [piece for piece, queries in enumerate(case["asked"]) if queries]


def _numbers(case: Case, number: int) -> tuple[Rows, Rows, Rows]:
    """Queries, keys and values of a whole text as lists."""
    total, size = sum(case["pieces"]), case["size"]
    heads = {"q": case["heads"], "k": case["kv_heads"], "v": case["kv_heads"]}
    q, k, v = (numbers(f"{case['seed']}:{number}:{name}", count, total, size) for name, count in heads.items())
    if case.label in SCALES:    # all scores are far below zero, the future's too
        q, k = (_scaled(rows, by) for rows, by in zip((q, k), SCALES[case.label], strict=True))
    return (_eighths(q), _eighths(k), _eighths(v)) if case.label in (HALF, BRAIN) else (q, k, v)


def _scaled(rows: Rows, by: float) -> Rows:
    """Return numbers of one sign, none of them small; those of later tokens are nearer to zero."""
    return [[[by * (2 + abs(one)) / (1 + place) for one in token] for place, token in enumerate(head)] for head in rows]


def _eighths(rows: Rows) -> Rows:
    """Return numbers that half precision holds exactly."""
    return [[[round(8 * one) / 8 for one in token] for token in head] for head in rows]


def _text(case: Case, number: int) -> tuple[Tensor, ...]:
    import torch

    return tuple(torch.tensor(rows, dtype=getattr(torch, case["dtype"])) for rows in _numbers(case, number))


def _bounds(case: Case) -> list[tuple[int, int]]:
    ends = [sum(case["pieces"][: n + 1]) for n in range(len(case["pieces"]))]
    return list(zip([0, *ends], ends, strict=False))


def _wanted(
    case: Case, number: int, piece: int, keys: Keys | None = None, exchanged: bool = False, **how: Any
) -> Rows:
    """The right answer to a piece; `how` changes mask or grouping, `keys` which tokens are asked, in which order.

    exchanged: keys for values.
    """
    bounds = _bounds(case)
    stop = bounds[piece][1]
    asked = stop - case["asked"][piece]
    q, k, v = _numbers(case, number)
    places = keys(bounds[: piece + 1]) if keys else list(range(stop))
    k, v = ([[head[place] for place in places] for head in rows] for rows in ((v, k) if exchanged else (k, v)))
    return attend(part(q, asked, stop), k, v, **how)


def _same(one: object, other: object) -> bool:
    """True for equal lists of plain tensors, to rounding; False for what is none."""
    if type(one) is not list or type(other) is not list or len(one) != len(other):
        return False
    return all(is_plain_tensor(a) and is_plain_tensor(b) and a["shape"] == b["shape"]
               and near(a["data"], b["data"], TOLERANCE["float64"]) for a, b in zip(one, other, strict=True))


def _newest_first(bounds: list[tuple[int, int]]) -> list[int]:
    return [place for start, stop in reversed(bounds) for place in range(start, stop)]


def _new_only(bounds: list[tuple[int, int]]) -> list[int]:
    return list(range(*bounds[-1]))


def _last_only(bounds: list[tuple[int, int]]) -> list[int]:
    return [bounds[-1][1] - 1]


def _without_new(bounds: list[tuple[int, int]]) -> list[int]:
    return list(range(bounds[-1][0] or bounds[-1][1]))


def _after_the_first(row: int, queries: int, key: int, keys: int) -> bool:
    """A mask for the first piece only."""
    return key <= row if queries == keys else True


KNOWN = (
    ("sees-the-future", "a query sees later tokens of its own piece: a mask is missing.", {"sees": everything}),
    ("sees-the-future", "a later piece sees its own future: it needs a mask as well.", {"sees": _after_the_first}),
    ("top-left", "the mask counts from the top left. The last query stands at the last key.", {"sees": top_left}),
    ("wrong-group", "neighbouring query heads share a KV head: 0 and 1 the first, not every second one.",
     {"group": in_turn}),
    ("newest-first", "new tokens stand in front of older ones. A mask counts places.", {"keys": _newest_first}),
    ("forgets", "the answer is that of the new tokens alone: older keys and values are gone.", {"keys": _new_only}),
    ("forgets", "the answer is that of the last token alone: older keys and values are gone.", {"keys": _last_only}),
    ("exchanged", "keys stand where values should, and values where keys should.", {"exchanged": True}),
    ("own-token-missing", "the new tokens are not in the box when it is asked.", {"keys": _without_new}),
)
FORGOT = ("loses-old-tokens", "in a long text the answers are no longer those of all its tokens.")
SPECIAL = MappingProxyType({
    USED_AGAIN: ("keeps-the-callers-tensor", "the caller wrote over its own tensors, and the box changed with them."
                 " Copy what you keep, the first piece too."),
    ASKED: ("changed-by-asking", "asked a second time, it answers otherwise. To ask is to read only."),
    LATE: ("fewer-queries", "one query came after a piece of several tokens. It is the last token's."),
    AFTER: ("not-empty", "a new box holds what belonged to one that is gone. Keep things in self: what boxes share"
            " (a default, a list of the class, a dict under id(self)) outlives them."),
    UNASKED: ("loses-a-piece", "after the first piece nobody asked. It belongs to the box all the same."),
    ACROSS: ("more-queries", "more queries came than the newest piece has tokens. They are those of the last tokens,"
             " whatever pieces these came in."),
    LONG: FORGOT,
    LONGER: FORGOT,
})


def _reason(case: Case, number: int, found: list[object], tolerance: float) -> tuple[str, str]:
    """Name the mistake: the first of the known ones that gives these numbers for every piece."""
    answers = list(zip(_asked(case), found, strict=True))
    for reason, words, how in KNOWN:
        if all(near(one, _wanted(case, number, n, **how), tolerance) for n, one in answers):
            return reason, words
    return SPECIAL.get(case.label, ("wrong-answer", "these are not the answers of causal attention."))


EXERCISE = LayerBox()
