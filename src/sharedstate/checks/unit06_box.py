"""Exercise 06.1: one layer's box of keys and values, that appends and is asked."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING

from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict
from sharedstate.checks.unit05_tensors import is_plain_tensor, plain_tensor, unchanged
from sharedstate.checks.unit06_attention import (
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
IN_TURN = (1, 0)          # which text goes into which of two boxes
SEVERAL, USED_AGAIN, ASKED = "two boxes in turn", "the caller uses its tensors again", "asked twice"
LATE, LONG = "asked for the last tokens only", "a long text"
Keys = Callable[[list[tuple[int, int]]], list[int]]
TOLERANCE = MappingProxyType({"float64": 1e-9, "float32": 1e-4})


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
        draw = random.Random(f"06.1:{seed}")
        start, size = draw.randrange(10**6), draw.choice((2, 3, 5))
        shapes = (
            (VISIBLE, 2, 2, [1, 1, 1]), (SEVERAL, 2, 2, [2, 1, 2]),
            ("a prompt, then single tokens", 2, 2, [draw.randrange(3, 6), 1, 1, 1]),
            ("in pieces", 2, 2, [2, draw.randrange(2, 4), 3]), ("grouped heads", 6, 2, [3, 1, 2]),
            ("one KV head", 3, 1, [2, 1, 2]), ("32-bit floats", 2, 1, [2, 1, 1]), (LATE, 2, 2, [4, 1]),
            (ASKED, 2, 1, [2, 2]), (USED_AGAIN, 2, 2, [2, 1, 1]), (LONG, 1, 1, [40, *[1] * 8, 30]),
        )
        return [Case(label, {"heads": heads, "kv_heads": kv, "size": size, "pieces": pieces, "seed": start + n,
                             "dtype": "float32" if label == "32-bit floats" else "float64"}, label == VISIBLE)
                for n, (label, heads, kv, pieces) in enumerate(shapes)]

    def run(self, answer: object, case: Case) -> object:
        """Feed the pieces to one box, or to two in turn; return every answer as plain data."""
        if case.label != SEVERAL:
            return {"outputs": self._fed_in_turn(answer, case, (0,))}
        return {"outputs": [*self._fed_in_turn(answer, case, (0,)), *self._fed_in_turn(answer, case, IN_TURN)]}

    def _fed_in_turn(self, answer: Callable[[], object], case: Case, numbers: tuple[int, ...]) -> list[list[object]]:
        """Feed a box for each text, piece by piece in turn; return every box's answers."""
        boxes, texts, outputs = [answer() for _ in numbers], [_text(case, n) for n in numbers], [[] for _ in numbers]
        for start, stop in _bounds(case):
            for box, (q, k, v), found in zip(boxes, texts, outputs, strict=True):
                found.append(_fed(box, q[:, start:stop], k[:, start:stop], v[:, start:stop], case))
        return outputs

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare with causal attention over the whole text; name the mistake that would give what was found."""
        outputs = value.get("outputs") if type(value) is dict and len(value) == 1 else None
        numbers = (0, *IN_TURN) if case.label == SEVERAL else (0,)
        if type(outputs) is not list or len(outputs) != len(numbers):
            return self.wrong("wrong-shape", "Nothing could be seen of this run.")
        shared = self._shared(case, outputs)
        if shared:
            return shared
        for number, found in zip(numbers, outputs, strict=True):
            if type(found) is not list or len(found) != len(case["pieces"]):
                return self.wrong("wrong-shape", "Nothing could be seen of this run.")
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
        for piece, found in enumerate(outputs):
            queries = 1 if case.label == LATE else case["pieces"][piece]
            shape, dtype = [case["heads"], queries, case["size"]], case["dtype"]
            said = f"Case '{case.label}', piece {piece + 1} of {case['pieces']}: "
            if not is_plain_tensor(found) or found["shape"] != shape:
                got = found["shape"] if is_plain_tensor(found) else "no tensor"
                return self.wrong("wrong-shape", f"{said}attend gave {got}, wanted {shape}.")
            if found["dtype"] != dtype:
                return self.wrong("wrong-dtype", f"{said}{dtype} goes in, {found['dtype']} comes out.")
        tolerance = TOLERANCE[case["dtype"]]
        data = [found["data"] for found in outputs]
        wanted = [_wanted(case, number, piece) for piece in range(len(data))]
        wrong = [n for n, found in enumerate(data) if not near(found, wanted[n], tolerance)]
        if not wrong:
            return None
        reason, words = _reason(case, number, data, tolerance)
        return self.wrong(reason, f"Case '{case.label}', piece {wrong[0] + 1} of {case['pieces']}: {words}")


def _fed(box: object, q: Tensor, k: Tensor, v: Tensor, case: Case) -> object:
    """Append one piece and ask; the tensors are copies, and the caller writes over them where the case says so."""
    import torch

    given = [part.clone() for part in (q, k, v)]
    query = given[0][:, -1:] if case.label == LATE else given[0]
    box.append(given[1], given[2])
    if case.label == USED_AGAIN:
        for tensor in given[1:]:
            tensor.fill_(1e4)
    found = box.attend(query)
    if found is None:
        raise AnswerProblem("untouched", "attend returns nothing yet.")
    if case.label == ASKED and isinstance(found, torch.Tensor):
        found.fill_(0.0)                        # an answer belongs to whoever asked: he may write on it
        found = box.attend(query)
    plain = plain_tensor(found, "attend")
    if case.label != USED_AGAIN:
        for tensor, before in zip(given, (q, k, v), strict=True):
            unchanged(tensor, before, "the box")
    return plain


def _numbers(case: Case, number: int) -> tuple[Rows, Rows, Rows]:
    """Queries, keys and values of a whole text as lists."""
    total, size = sum(case["pieces"]), case["size"]
    heads = {"q": case["heads"], "k": case["kv_heads"], "v": case["kv_heads"]}
    return tuple(numbers(f"{case['seed']}:{number}:{name}", count, total, size) for name, count in heads.items())


def _text(case: Case, number: int) -> tuple[Tensor, ...]:
    import torch

    return tuple(torch.tensor(rows, dtype=getattr(torch, case["dtype"])) for rows in _numbers(case, number))


def _bounds(case: Case) -> list[tuple[int, int]]:
    ends = [sum(case["pieces"][: n + 1]) for n in range(len(case["pieces"]))]
    return list(zip([0, *ends], ends, strict=False))


def _wanted(case: Case, number: int, piece: int, keys: Keys | None = None, **how: object) -> Rows:
    """The right answer to a piece; `how` changes mask or grouping, `keys` which tokens are asked, in which order."""
    bounds = _bounds(case)
    start, stop = bounds[piece]
    q, k, v = _numbers(case, number)
    asked = stop - 1 if case.label == LATE else start
    places = keys(bounds[: piece + 1]) if keys else list(range(stop))
    k, v = ([[head[place] for place in places] for head in rows] for rows in (k, v))
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
    ("own-token-missing", "the new tokens are not in the box when it is asked.", {"keys": _without_new}),
)
SPECIAL = MappingProxyType({
    USED_AGAIN: ("keeps-the-callers-tensor", "the caller wrote over its own tensors, and the box changed with them."
                 " Copy what you keep, the first piece too."),
    ASKED: ("changed-by-asking", "asked a second time, it answers otherwise. To ask is to read only."),
    LATE: ("fewer-queries", "one query came after a piece of several tokens. It is the last token's."),
    LONG: ("loses-old-tokens", "in a long text the answers are no longer those of all its tokens."),
})


def _reason(case: Case, number: int, found: list[object], tolerance: float) -> tuple[str, str]:
    """Name the mistake: the first of the known ones that gives these numbers for every piece."""
    for reason, words, how in KNOWN:
        if all(near(one, _wanted(case, number, piece, **how), tolerance) for piece, one in enumerate(found)):
            return reason, words
    return SPECIAL.get(case.label, ("wrong-answer", "these are not the answers of causal attention."))
