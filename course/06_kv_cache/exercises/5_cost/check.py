"""Exercise 06.5: a cost model of one step, part by part."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict, is_record
from sharedstate.checks.values import PlainFunction

VISIBLE = "with a cache"
PARTS = ("projections", "attention", "feed_forward", "head")
NAMES = ("layers", "d_model", "heads", "kv_heads", "d_hidden", "vocab")
SMALL = MappingProxyType({"layers": 3, "d_model": 8, "heads": 4, "kv_heads": 4, "d_hidden": 24, "vocab": 10})


def cost(shape: dict, context: int, cached: bool) -> dict[str, int]:
    """Return the operations of the step behind `context` tokens, by part, as torch's counter counts them."""
    rows, d, layers = (1 if cached else context), shape["d_model"], shape["layers"]
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 2 * (2 * d * d + 2 * d * kv),
        "attention": layers * rows * 2 * (2 * d * context),
        "feed_forward": layers * rows * 2 * (3 * d * shape["d_hidden"]),
        "head": rows * 2 * d * shape["vocab"],
    }


class CostModel(PlainFunction):
    """The answer is step_cost(shape, context, cached) -> {part: operations}."""

    id = "06.5"
    title = "A cost model"
    answer = "step_cost"
    minutes = 10
    difficulty = 2
    points = 3.0
    given = ("shape", "context", "cached")
    seconds = 10.0  # who lets torch count on its meta device waits for a slow import first

    def cases(self, seed: int) -> list[Case]:
        """With a cache and without, grouped heads, one token, long contexts, sizes of every kind."""
        draw = self.draw(seed)
        heads = draw.choice((3, 5, 7))
        size = draw.choice((3, 4, 7))
        other = {"layers": draw.randrange(3, 6), "d_model": 6 * heads * size, "heads": 2 * heads, "kv_heads": 2,
                 "d_hidden": draw.randrange(30, 90), "vocab": draw.randrange(11, 60)}
        large = {"layers": 32, "d_model": 4096, "heads": 32, "kv_heads": 8, "d_hidden": draw.randrange(8000, 12000), "vocab": 32000}
        return [
            _case(VISIBLE, dict(SMALL), 5, True, visible=True),
            _case("without a cache", dict(SMALL), draw.randrange(5, 9), False),
            _case("a longer context, with a cache", dict(SMALL), draw.randrange(50, 90), True),
            _case("one layer", {**SMALL, "layers": 1}, 7, False),
            _case("grouped heads, with a cache", other, draw.randrange(10, 30), True),
            _case("grouped heads, without", other, draw.randrange(10, 30), False),
            _case("one KV head", {**other, "kv_heads": 1}, 9, True),
            _case("one token, with a cache", other, 1, True), _case("one token, without", other, 1, False),
            _case("a large model, with a cache", large, 32768, True),
            _case("a large model, without", large, 4096, False),
            _case("a million tokens, with a cache", large, 10**6, True),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Ask for the costs; what it gave must stay as it is when it is asked again."""
        found = self.called(answer, case)
        if type(found) is dict:
            kept = dict(found)
            self.called(answer, case, context=case["context"] + 1)
            if found != kept:
                said = "a dict given earlier has changed since. Make a new one each time: one dict for all is shared."
                raise AnswerProblem("overwrites-its-answers", said)
        return found

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare part by part; name the mistake that would give the number found."""
        if not is_record(value, PARTS):
            return self.wrong("wrong-shape", f"step_cost should return a dict with the parts {', '.join(PARTS)}.")
        if not all(type(number) is int for number in value.values()):
            return self.wrong("not-a-whole-number", "Operations are whole numbers: use // and no float.")
        wanted = cost(case["shape"], case["context"], case["cached"])
        wrong = [part for part in PARTS if value[part] != wanted[part]]
        if not wrong:
            return self.right("Your model counts what torch counts.")
        said = f"Case '{case.label}', {case['context']} tokens: "
        if all(2 * value[part] == wanted[part] for part in PARTS):
            return self.wrong("one-of-two", f"{said}a multiplication and its addition count as two operations.")
        part = wrong[0]
        for reason, words, rule in RULES[part]:
            if rule(case, wanted[part]) == value[part]:
                return self.wrong(reason, f"{said}{part} {value[part]:,}, counted {wanted[part]:,}: {words}")
        return self.wrong(f"wrong-{part.replace('_', '-')}", f"{said}{part} {value[part]:,}, counted {wanted[part]:,}.")


Rule = tuple[str, str, Callable[[Case, int], object]]
ROWS: tuple[Rule, ...] = (
    ("rows-of-the-past", "with a cache only the new token passes through the model.",
     lambda case, right: right * case["context"] if case["cached"] else None),
    ("one-row-only", "without a cache every token of the context passes through the model.",
     lambda case, right: None if case["cached"] else right // case["context"]),
    ("forgets-the-layers", "every layer does this.", lambda case, right: right // case["shape"]["layers"]),
    ("layers-of-the-example", "the example has three layers, this model another number.",
     lambda case, right: right // case["shape"]["layers"] * SMALL["layers"]),
)
ONE_OF_TWO: Rule = (
    "one-of-two", "a multiplication and its addition count as two operations.", lambda case, right: right // 2)
MASKED = ("half-the-triangle", "the mask hides half of the scores. They are computed all the same: it saves nothing.")
TOKENS = ("not-the-context", "the attention reads every key and value of the context.")
RULES = MappingProxyType({
    "projections": (
        ("query-heads", "keys and values have kv_heads heads only.",
         lambda case, right: right // _kv(case) * 4 * case["shape"]["d_model"]),
        ("forgets-a-projection", "there are four: q, k, v and o.",
         lambda case, right: right // _kv(case) * (_kv(case) - case["shape"]["d_model"])),
        ONE_OF_TWO, *ROWS),
    "attention": (
        (*TOKENS, lambda case, right: right // case["context"]),
        (*MASKED, lambda case, right: right * (case["context"] + 1) // (2 * case["context"])),
        (*MASKED, lambda case, right: None if case["cached"] else right // 2),
        ("one-product", "there are two products, scores and the mix of values. Each also adds.",
         lambda case, right: right // 2),
        ("kv-heads-in-attention", "every query head has scores of its own, also where heads share keys.",
         lambda case, right: right * case["shape"]["kv_heads"] // case["shape"]["heads"]),
        *ROWS),
    "feed_forward": (
        ("forgets-the-gate", "there are three matrices: gate, up and down.", lambda case, right: right * 2 // 3),
        ONE_OF_TWO, *ROWS),
    "head": (
        ("head-in-every-layer", "the logits are made once, after the last layer.",
         lambda case, right: right * case["shape"]["layers"]),
        ONE_OF_TWO, *ROWS[:2]),
})


def _kv(case: Case) -> int:
    """Channels that q, k, v and o make together."""
    d = case["shape"]["d_model"]
    return 2 * d + 2 * (d // case["shape"]["heads"] * case["shape"]["kv_heads"])


def _case(label: str, shape: dict, context: int, cached: bool, visible: bool = False) -> Case:
    inputs = {"shape": {name: shape[name] for name in NAMES}, "context": context, "cached": cached}
    return Case(label, inputs, visible)


EXERCISE = CostModel()
