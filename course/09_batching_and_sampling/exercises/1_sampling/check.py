"""Exercise 09.1: a sampler for a batch, in which no row depends on another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from types import MappingProxyType
from typing import Any

from sharedstate.checks.tensors import unchanged
from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import SlipTable, required

Row = tuple[Sequence[float | None], tuple[float, int, float], float]  # logits (None: -inf), the way, the number
MARGIN = 2e-3  # of the whole line: no case lies nearer to where a token ends
ALL = (1.0, 0, 1.0)
RISING = [0.0, 1.0, 2.0]


def logs(*shares: float) -> list[float | None]:
    """Return logits whose softmax is these shares."""
    return [math.log(share) if share else None for share in shares]


class Sampler(SlipTable):
    """The answer is sample(logits, ways, numbers) -> list of tokens."""

    id = "09.1"
    title = "A sampler for a batch"
    answer = "sample"
    minutes = 14
    difficulty = 3
    points = 3.0
    expects = "a function"
    slips = MappingProxyType({
        "one request": ("wrong-place", "the tokens stand in a line, the lowest first, each as wide as its share, and "
                                       "the number says how far to go."),
        "the line's order": ("wrong-order", "the line goes from the lowest token to the highest, also where a sort has "
                                            "put them in another order to cut."),
        "greedy": ("temperature", "at temperature 0 it is the most likely token, the lowest of equal ones, whatever "
                                  "the number is."),
        "hot and cold": ("temperature", "the logits are divided by the temperature before the softmax."),
        "the best k": ("top-k", "the k most likely tokens stay, and 0 keeps all."),
        "more than there are": ("top-k", "k may be larger than the vocabulary: all stay."),
        "equal at the edge of k": ("ties", "exactly k tokens stay: among equally likely ones, the lower token first."),
        "equal at the edge of p": ("ties", "among equally likely tokens the lower one is kept first."),
        "the share p": ("top-p", "the fewest stay that have the share p together: the one that reaches it stays."),
        "a small p": ("top-p", "one token always stays: the most likely one."),
        "k, then p": ("p-of-all", "top_p is a share of what top_k has kept, not of all tokens."),
        "beside others": ("neighbour", "each row has its own temperature, k, p and number, whatever the others have."),
        "the others the other way round": ("neighbour", "each row has its own temperature, k, p and number, whatever "
                                                        "the others have."),
        "banned tokens": ("banned", "a token with a logit of minus infinity has no width: it is never drawn, at "
                                    "neither end of the line."),
        "large logits": ("overflow", "logits may be large. A softmax subtracts the largest first."),
        "half precision": ("half-precision", "1,000 tokens in bfloat16: a running sum in so few digits steps over "
                                             "most of them. Work in float32 at least."),
        "double precision": ("one-dtype", "the logits may be float64, too."),
        "many rows": ("neighbour", "each row has its own temperature, k, p and number, whatever the others have."),
    })

    def cases(self, seed: int) -> list[Case]:
        """The lab's example, one case for each slip, and a drawn batch."""
        draw = self.draw(seed)
        mixed = [
            (logs(0.1, 0.4, 0.2, 0.3), ALL, 0.05), (logs(0.4, 0.1, 0.3, 0.2), (0.0, 0, 1.0), 0.9),
            (logs(0.2, 0.3, 0.4, 0.1), (1.0, 2, 1.0), 0.1), (logs(0.1, 0.2, 0.3, 0.4), (1.0, 0, 0.6), 0.3),
            (logs(0.3, 0.4, 0.1, 0.2), (2.0, 3, 0.9), 0.8), (logs(0.1, 0.4, 0.2, 0.3), ALL, 0.6),
        ]
        return [
            _case("one request", [(RISING, ALL, 0.3)], visible=True),
            _case("one request", [(RISING, ALL, 0.05)]),
            _case("one request", [(RISING, ALL, 0.5)]),
            _case("the line's order", [(logs(0.2, 0.1, 0.4, 0.3), (1.0, 3, 1.0), 0.1)]),
            _case("the line's order", [(logs(0.2, 0.1, 0.4, 0.3), (1.0, 0, 0.95), 0.95)]),
            _case("greedy", [([1.0, 3.0, 3.0, 2.0], (0.0, 0, 1.0), 0.99), ([5.0, 1.0, 2.0, 5.0], (0.0, 3, 0.5), 0.9)]),
            _case("hot and cold", [(RISING, (4.0, 0, 1.0), 0.2), (RISING, (0.25, 0, 1.0), 0.2)]),
            _case("the best k", [(logs(0.1, 0.4, 0.2, 0.3), (1.0, 2, 1.0), 0.05)]),
            _case("the best k", [(logs(0.1, 0.4, 0.2, 0.3), (1.0, 1, 1.0), 0.97)]),
            _case("more than there are", [(RISING, (1.0, 50, 1.0), 0.05)]),
            _case("equal at the edge of k", [([1.0, 2.0, 1.0, 1.0], (1.0, 2, 1.0), 0.95)]),
            _case("equal at the edge of k", [([1.0, 1.0, 1.0, 1.0], (1.0, 2, 1.0), 0.7)]),
            _case("the share p", [(logs(0.2, 0.5, 0.3), (1.0, 0, 0.6), 0.9)]),
            _case("the share p", [(logs(0.2, 0.5, 0.3), (1.0, 0, 0.6), 0.1)]),
            _case("equal at the edge of p", [(logs(0.2, 0.2, 0.4, 0.2), (1.0, 0, 0.55), 0.1)]),
            _case("equal at the edge of p", [(logs(0.1, 0.3, 0.3, 0.3), (1.0, 0, 0.5), 0.7)]),
            _case("a small p", [(logs(0.2, 0.5, 0.3), (1.0, 0, 0.01), 0.99)]),
            _case("k, then p", [(logs(0.1, 0.4, 0.3, 0.2), (1.0, 2, 0.5), 0.9)]),
            _case("beside others", mixed),
            _case("the others the other way round", mixed[::-1]),
            _case("banned tokens", [(logs(0, 0.5, 0, 0.5, 0), ALL, 0.0), (logs(0, 0.5, 0, 0.5, 0), ALL, 0.999_999)]),
            _case("banned tokens", [(logs(0, 0.5, 0, 0.5, 0), (1.0, 4, 1.0), 0.0)]),
            _case("large logits", [([1000.0, 1001.0, 1002.0], ALL, 0.5), ([-1000.0, -1001.0, -2000.0], ALL, 0.9)]),
            _case("half precision", [([0.0] * 1000, ALL, 0.9015), ([0.0] * 1000, ALL, 0.7055)], "bfloat16"),
            _case("double precision", [(logs(0.1, 0.4, 0.2, 0.3), (1.0, 3, 0.9), 0.7)], "float64"),
            _case("many rows", [_drawn(draw) for _ in range(5)]),
            _case("many rows", [*mixed, *mixed, *mixed]),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Ask for the whole batch."""
        import torch

        numbers = [[-math.inf if one is None else one for one in row] for row in case["logits"]]
        logits = torch.tensor(numbers, dtype=getattr(torch, case["dtype"]))
        ways, before = [(way[0], way[1], way[2]) for way in case["ways"]], logits.clone()
        given = [*ways], list(case["numbers"])
        found = required(answer(logits, *given), self.answer)
        unchanged(logits, before, self.answer)
        if given != (ways, case["numbers"]):
            said = "sample changes the lists that it is given. They belong to the caller: work on copies."
            raise AnswerProblem("changes-its-input", said)
        if isinstance(found, torch.Tensor) and found.ndim == 1:
            found = found.tolist()
        if not isinstance(found, (list, tuple)):
            raise AnswerProblem("wrong-shape", f"sample should return a list of tokens, not {type(found).__name__}.")
        return [token.item() if isinstance(token, torch.Tensor) and token.numel() == 1 else token for token in found]

    def judge(self, case: Case, value: object) -> Verdict:
        """Row by row, token by token."""
        if type(value) is not list or any(type(token) is not int for token in value):
            return self.wrong("wrong-shape", "sample should return a list of whole numbers.")
        rows = [*zip(case["logits"], case["ways"], case["numbers"], strict=True)]
        if len(value) != len(rows):
            return self.wrong("wrong-shape", f"{len(rows)} rows came in, and {len(value)} tokens came out.")
        for place, (row, token) in enumerate(zip(rows, value, strict=True)):
            wanted = right_token(*row)
            if token != wanted:
                said = f"Case '{case.label}', row {place}, number {row[2]}: token {token}, not {wanted}: "
                return self.slip(case, before=said)
        return self.right("Each row has its own token, whoever sits beside it.")


def line_of(logits: Sequence[float | None], way: Sequence[float]) -> list[tuple[int, float]]:
    """Return (token, share) of all that are kept, the lowest token first; shares add up to 1."""
    temperature, top_k, top_p = way
    most = max(one for one in logits if one is not None)
    weights = [0.0 if one is None else math.exp((one - most) / temperature) for one in logits]
    ranked = sorted(range(len(weights)), key=lambda token: (-weights[token], token))[: int(top_k) or len(weights)]
    total, kept, so_far = math.fsum(weights[token] for token in ranked), list[int](), 0.0
    for token in ranked:
        if kept and so_far >= top_p * total:
            break
        kept.append(token)
        so_far += weights[token]
    whole = math.fsum(weights[token] for token in kept)
    return [(token, weights[token] / whole) for token in sorted(kept)]


def right_token(logits: Sequence[float | None], way: Sequence[float], number: float) -> int:
    """Return the token that a row must get."""
    if way[0] == 0:
        seen = [-math.inf if one is None else one for one in logits]
        return seen.index(max(seen))
    end = 0.0
    line = line_of(logits, way)
    for token, share in line:
        end += share
        if share and end > number:
            return token
    return next(token for token, share in reversed(line) if share)


def _drawn(draw: Random) -> Row:
    """Return a row whose token no rounding can change: neither the number nor p lies near an edge."""
    while True:
        logits: list[float | None] = [round(draw.uniform(-2, 2), 2) for _ in range(7)]
        way = (draw.choice([0.5, 0.8, 1.3]), draw.choice([0, 3, 5]), draw.choice([0.5, 0.8, 1.0]))
        number = round(draw.random(), 3)
        ends = [sum(share for _, share in line_of(logits, way)[: n + 1]) for n in range(7)]
        sure = line_of(logits, way) == line_of(logits, (*way[:2], way[2] - MARGIN)) if way[2] < 1 else True
        sure = sure and [t for t, _ in line_of(logits, (*way[:2], min(1.0, way[2] + MARGIN)))] == [
            t for t, _ in line_of(logits, way)]
        if sure and len(set(logits)) == 7 and all(abs(end - number) > MARGIN for end in (0.0, *ends)):
            return logits, way, number


def _case(label: str, rows: Sequence[Row], dtype: str = "float32", visible: bool = False) -> Case:
    logits, ways, numbers = zip(*rows, strict=True)
    given = {"logits": [*logits], "ways": [list(way) for way in ways], "numbers": [*numbers], "dtype": dtype}
    return Case(label, given, visible)


EXERCISE = Sampler()
