"""Lab 06: every exercise's judge says the right thing, and its truth is that of real models and real plans."""

from __future__ import annotations

import importlib
import random
from fractions import Fraction

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from sharedstate.checks import Registry, assess, exercise, exercises
from sharedstate.checks.types import AnswerProblem
from sharedstate.kvcache import DoesNotFit, plan
from sharedstate.kvcache.costs import project
from sharedstate.model import GPT, GPTConfig, attention, causal_mask, full_mask

DECODE, STALE, PLAN, COST = (Registry().room(f"06.{number}").module() for number in (2, 3, 4, 5))
PLAIN = importlib.import_module(f"{COST.__package__}.attention")
attend, bottom_right, everything = PLAIN.attend, PLAIN.bottom_right, PLAIN.everything
near, numbers = PLAIN.near, PLAIN.numbers
Machine, written, stale_keys, truth, cost = DECODE.Machine, DECODE.written, STALE.stale_keys, PLAN.truth, COST.cost
TENSOR = {"shape": [2, 1, 2], "dtype": "float64", "data": [[[0.0, 1.0]], [[0.5, 0.5]]]}
JUNK = (
    None, True, 7, "yes", [], [1], ["fits", True], ["fits", 1.0], ["fits", -1], ["refused", 1, 2], ["refused", 0.0, 0],
    ["no", 1], {}, {"outputs": []}, {"outputs": [[]]}, {"outputs": [[1, 2, 3]]}, {"outputs": [[TENSOR] * 3]},
    {"outputs": [[{**TENSOR, "data": [[[True, False]]] * 2}] * 3]}, {"outputs": [[TENSOR] * 3] * 2},
    {"texts": [], "fed": []}, {"texts": [[True]], "fed": [[0, [1]]]}, {"texts": [[1, 2]], "fed": "x"},
    {"texts": [[1], [2], [3]], "fed": [[0, [1]]]}, [[0], [], []], [[True], []], [[], [], [9]],
    dict.fromkeys(("projections", "attention", "feed_forward", "head"), 0),
    dict.fromkeys(("projections", "attention", "feed_forward", "head"), True),
)  # fmt: skip
each = pytest.mark.parametrize("one", exercises("06"), ids=lambda one: one.id)


@each
@pytest.mark.parametrize("value", JUNK, ids=repr)
def test_no_value_that_a_child_may_send_is_accepted_or_breaks_the_judge(one: object, value: object) -> None:
    for case in one.cases(3):
        nothing = one.id == "06.2" and case["count"] == 0 and value == {"texts": [[]], "fed": []}
        assert one.judge(case, value).ok is nothing


# --- 06.1


@pytest.mark.parametrize(("heads", "kv_heads"), [(2, 2), (6, 2), (3, 1)])
def test_the_plain_attention_is_torchs(heads: int, kv_heads: int) -> None:
    q, k, v = numbers("q", heads, 3, 4), numbers("k", kv_heads, 5, 4), numbers("v", kv_heads, 5, 4)
    tensors = [torch.tensor(rows, dtype=torch.float64)[None] for rows in (q, k, v)]
    for sees, mask in ((bottom_right, causal_mask(3, 5)), (everything, full_mask(3, 5))):
        assert near(attention(*tensors, mask)[0].tolist(), attend(q, k, v, sees), 1e-12)
    assert not near(attention(*tensors)[0].tolist(), attend(q, k, v), 1e-3)


def test_near_refuses_other_shapes_types_and_nan() -> None:
    assert near([[[1.0]]], [[[1.0]]], 0.0)
    for found in ([[[1]]], [[[True]]], [[[float("nan")]]], [[1.0]], [[[1.0, 1.0]]], [[[1.0]], [[1.0]]], 1.0, None):
        assert not near(found, [[[1.0]]], 0.1)


def test_the_message_says_which_piece_and_why() -> None:
    class NoMask:
        def __init__(self) -> None:
            self.k = self.v = torch.empty(0)

        def append(self, k: torch.Tensor, v: torch.Tensor) -> None:
            old = len(self.k) > 0
            self.k, self.v = ((torch.cat((a, b), 1) if old else b.clone()) for a, b in ((self.k, k), (self.v, v)))

        def attend(self, q: torch.Tensor) -> torch.Tensor:
            return attention(q[None], self.k[None], self.v[None])[0]

    verdict = assess(exercise("06.1"), NoMask, 0)
    assert verdict.reason == "sees-the-future" and "piece 1 of [2, 1, 2]" in verdict.message


def test_inference_tensors_and_subclasses_are_tensors_too() -> None:
    class Kept(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.pieces: list = []

        def append(self, k: torch.Tensor, v: torch.Tensor) -> None:
            self.pieces.append((k.clone(), v.clone()))

        @torch.inference_mode()
        def attend(self, q: torch.Tensor) -> torch.Tensor:
            k, v = (torch.cat(part, 1) for part in zip(*self.pieces, strict=True))
            return attention(q[None], k[None], v[None], causal_mask(q.shape[1], k.shape[1]))[0]

    assert assess(exercise("06.1"), Kept, 0).ok


def test_every_piece_is_told_how_many_queries_come_and_the_last_ones_are_wanted() -> None:
    for case in exercise("06.1").cases(5):
        asked, pieces = case["asked"], case["pieces"]
        held = [sum(pieces[: n + 1]) for n in range(len(pieces))]
        assert len(asked) == len(pieces) and any(asked) and all(a <= h for a, h in zip(asked, held, strict=True))
    labels = {case.label: case for case in exercise("06.1").cases(5)}
    assert any(a > p for a, p in zip(*(labels["asked across two pieces"][n] for n in ("asked", "pieces")), strict=True))
    assert sum(labels["a very long text"]["pieces"]) > 4096


def test_an_answer_once_given_stays_as_it_is() -> None:
    class OneRoom:
        def __init__(self) -> None:
            self.k = self.v = torch.empty(0)
            self.room: dict = {}

        def append(self, k: torch.Tensor, v: torch.Tensor) -> None:
            old = len(self.k) > 0
            self.k, self.v = ((torch.cat((a, b), 1) if old else b.clone()) for a, b in ((self.k, k), (self.v, v)))

        def attend(self, q: torch.Tensor) -> torch.Tensor:
            mask = causal_mask(q.shape[1], self.k.shape[1])
            found = attention(q[None], self.k[None], self.v[None], mask)[0]
            return self.room.setdefault(found.shape, torch.empty_like(found)).copy_(found)

    assert assess(exercise("06.1"), OneRoom, 0).reason == "overwrites-its-answers"


# --- 06.2


def test_the_machine_writes_down_what_it_is_fed() -> None:
    machine = Machine(5)
    first, second = machine.new_box(), machine.new_box()
    alone = machine.step(first, [1, 2])
    machine.step(second, [6])
    assert machine.step(second, [3]) != machine.step(first, [3])
    assert machine.record == [[0, [1, 2]], [1, [6]], [1, [3]], [0, [3]]]
    assert max(alone) < 0 and len(set(alone)) == len(alone)


def test_what_must_be_written_ends_with_the_stop_or_the_count() -> None:
    free = written(3, [1, 2], 12, None)
    assert len(free) == 12 and written(3, [1, 2], 5, None) == free[:5] and written(3, [1, 2], 0, None) == []
    stopped = written(3, [1, 2], 12, free[4])
    assert stopped == free[: free.index(free[4]) + 1]


@pytest.mark.parametrize("seed", range(20))
def test_the_stop_comes_where_the_case_says(seed: int) -> None:
    cases = {case.label: case for case in exercise("06.2").cases(seed)}
    lengths = {label: len(written(c["seed"], c["prompts"][0], c["count"], c["stop"])) for label, c in cases.items()}
    assert lengths["stops at once"] == 1 and lengths["stops in the middle"] <= 4 and lengths["a longer text"] == 300
    assert cases["the stop stands in the prompt"]["stop"] in cases["the stop stands in the prompt"]["prompts"][0]


@pytest.mark.parametrize("seed", range(12))
def test_the_hard_stops_are_in_every_set_of_cases(seed: int) -> None:
    cases = {case.label: case for case in exercise("06.2").cases(seed)}
    ended, zero = cases["the prompt ends with the stop"], cases["the stop is token 0"]
    assert ended["stop"] == ended["prompts"][0][-1] != 0
    new = written(zero["seed"], zero["prompts"][0], zero["count"], 0)
    assert zero["stop"] == 0 and new[-1] == 0 and len(new) == 3 < zero["count"]
    assert {case["words"] for case in cases.values()} == {3, 7, 40, 3000}
    texts = next(case["prompts"] for case in cases.values() if len(case["prompts"]) > 1)
    assert texts[0] == texts[-1] and len(texts) == 3


@pytest.mark.parametrize(("tokens", "words"), [
    ((1, 2), "a tuple"), ([torch.tensor(1)], "a list of Tensor"), ([], "an empty list"), ([True], "a list of bool")])
def test_a_wrong_call_of_the_machine_says_what_it_was_given(tokens: object, words: str) -> None:
    machine = Machine(1)
    with pytest.raises(AnswerProblem, match=words) as problem:
        machine.step(machine.new_box(), tokens)
    assert problem.value.reason == "wrong-call"


def test_a_box_kept_for_every_text_is_told_that_each_gets_its_own() -> None:
    kept: list[int] = []

    def decode(machine: object, prompt: list, count: int, stop: int | None) -> list:
        kept[:] = kept or [machine.new_box()]
        fresh, new = list(prompt), []
        while len(new) < count and stop not in new:
            scores = machine.step(kept[0], fresh)
            fresh = [scores.index(max(scores))]
            new += fresh
        return new

    verdict = assess(exercise("06.2"), decode, 0)
    assert verdict.reason == "one-box-for-two" and "Every text gets a new box" in verdict.message


def test_the_first_call_that_is_amiss_is_shown() -> None:
    def decode(machine: object, prompt: list, count: int, stop: int | None) -> list:
        box, fresh, new = machine.new_box(), list(prompt), []
        while len(new) < count and stop not in new:
            scores = machine.step(box, fresh)
            fresh = [scores.index(max(scores))]
            new += fresh
        machine.step(machine.new_box(), [1])
        return new

    verdict = assess(exercise("06.2"), decode, 0)
    assert verdict.reason == "wrong-feed" and "call 5 of step fed [1] into box 1, wanted nothing" in verdict.message


# --- 06.3


@pytest.mark.parametrize("seed", range(6))
def test_stale_keys_are_those_that_a_real_model_changes(seed: int) -> None:
    draw, old, size, layers = random.Random(seed), 5, 7, 4
    mask = [[draw.random() < 0.25 or i == j for j in range(size)] for i in range(size)]
    model = GPT(GPTConfig(vocab_size=20, num_layers=layers, d_model=32), seed=seed).double().requires_grad_(False)
    tokens = torch.randint(0, 20, (1, size), generator=torch.Generator().manual_seed(seed))
    before, after = (real_keys(model, tokens[:, :n], torch.tensor(mask)[:n, :n]) for n in (old, size))
    moved = [(new[:, :, :old] - was).abs().amax((0, 1, 3)) for was, new in zip(before, after, strict=True)]
    assert [[i for i in range(old) if change[i] > 1e-9] for change in moved] == stale_keys(mask, old, layers)


def real_keys(model: GPT, tokens: torch.Tensor, mask: torch.Tensor) -> list[torch.Tensor]:
    """The keys of each layer [1, H_kv, S, D], under a mask of one's own."""
    x, rope = model.embed(tokens)
    found = []
    for layer in model.layers:
        found.append(project(layer, x, rope)[1])
        x = layer(x, mask, rope)
    return found


@pytest.mark.parametrize(
    ("found", "words"), [(None, "returns nothing"), ({0: []}, "returned dict"), (7, "returned int")])
def test_what_is_no_list_of_layers_is_named(found: object, words: str) -> None:
    assert words in assess(exercise("06.3"), lambda mask, old, layers: found, 0).message


def test_news_walks_through_more_layers_and_from_more_words_than_in_the_example() -> None:
    cases = exercise("06.3").cases(4)
    assert max(len(set(map(tuple, stale_keys(c["mask"], c["old"], c["layers"])))) for c in cases) > 9
    assert {len(case["mask"]) - case["old"] for case in cases} >= {0, 1, 2, 4}


# --- 06.4


@pytest.mark.parametrize("seed", range(8))
def test_the_packages_planner_says_the_same(seed: int) -> None:
    for case in exercise("06.4").cases(seed):
        shape = case["shape"]
        config = GPTConfig(8, shape["layers"], shape["heads"] * shape["head_dim"], shape["heads"], shape["kv_heads"])
        dtype = {1: "int8", 2: "float16", 8: "float64"}[shape["bytes"]]
        budget = Fraction(case["device"], 2**30)
        try:
            made = plan(config, dtype, case["length"], max(case["running"]), budget, case["weights"])
            said = ["fits", made.require().cache]
        except DoesNotFit as refusal:
            said = ["refused", refusal.batch, refusal.length]
        assert said == truth(case), case.label


@pytest.mark.parametrize(("answer", "reason"), [
    (lambda *_: None, "untouched"), (lambda *_: (1, 2), "wrong-shape"), (lambda *_: "8 GiB", "wrong-shape"),
    (lambda *_: DoesNotFit("no", 1, 2), "returns-the-refusal"), (lambda *_: 8.0 * 2**30, "not-a-whole-number")])
def test_a_plan_that_is_no_number_is_named(answer: object, reason: str) -> None:
    assert assess(exercise("06.4"), answer, 0).reason == reason


@pytest.mark.parametrize("instead", [None, "does not fit", False, (2, 100)])
def test_a_plan_that_raises_nothing_is_told_to_raise(instead: object) -> None:
    def plan(shape: dict, length: int, running: list, weights: int, device: int) -> object:
        size = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"] * length * max(running)
        return size if size + weights <= device * 3 // 4 else instead

    verdict = assess(exercise("06.4"), plan, 0)
    assert verdict.reason == "raises-nothing" and "nothing was raised: raise DoesNotFit(" in verdict.message


def test_a_namesake_of_the_refusal_is_not_the_refusal() -> None:
    namesake = type("DoesNotFit", (Exception,), {})

    def plan(shape: dict, length: int, running: list, weights: int, device: int) -> int:
        size = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"] * length * max(running)
        if size + weights <= device * 3 // 4:
            return size
        raise namesake("no", 1, 1)

    verdict = assess(exercise("06.4"), plan, 0)
    assert verdict.reason == "other-exception" and "sharedstate.kvcache" in verdict.message


def test_an_instance_in_the_place_of_its_class_is_told_so() -> None:
    instance = type("LayerCache", (), {})()
    assert "Give the class itself, without ()." in assess(exercise("06.1"), instance, 0).message


def test_limits_are_met_exactly_on_devices_of_every_size() -> None:
    cases = {case.label: case for seed in range(6) for case in exercise("06.4").cases(seed)}
    odd, half = (next(c for label, c in cases.items() if word in label) for word in ("divide by four", "half of it"))
    assert odd["device"] % 4 == 3 and truth(odd)[1] + odd["weights"] == odd["device"] * 3 // 4
    room = half["device"] * 3 // 4 - half["weights"]
    kind, batch, length = truth(half)
    token = 2 * half["shape"]["layers"] * half["shape"]["kv_heads"] * half["shape"]["head_dim"] * half["shape"]["bytes"]
    assert kind == "refused" and token * batch * half["length"] == token * length * max(half["running"]) == room


def test_both_kinds_of_answers_are_asked_for_at_every_seed() -> None:
    for seed in range(20):
        kinds = [truth(case)[0] for case in exercise("06.4").cases(seed)]
        assert kinds.count("fits") >= 5 and kinds.count("refused") >= 5


# --- 06.5


@pytest.mark.parametrize("context", [1, 5, 33])
@pytest.mark.parametrize("kv_heads", [1, 2, 4])
def test_the_cost_of_a_step_is_what_torch_counts(context: int, kv_heads: int) -> None:
    shape = {"layers": 3, "d_model": 32, "heads": 4, "kv_heads": kv_heads, "d_hidden": 50, "vocab": 17}
    model = GPT(GPTConfig(17, 3, 32, 4, kv_heads, d_hidden=50)).requires_grad_(False)
    with FlopCounterMode(display=False) as counter:
        model(torch.zeros(1, context, dtype=torch.long))
    assert counter.get_total_flops() == sum(cost(shape, context, False).values())


@pytest.mark.parametrize(("part", "share", "where", "reason"), [
    ("attention", 2, "without", "half-the-triangle"), ("attention", 2, "with", "one-product"),
    *((part, 2, "with", "one-of-two") for part in ("projections", "feed_forward", "head")),
    *((part, 3, "with", "forgets-the-layers") for part in ("projections", "attention", "feed_forward"))])
def test_half_a_part_and_a_third_of_it_are_different_mistakes(part: str, share: int, where: str, reason: str) -> None:
    def step_cost(shape: dict, context: int, cached: bool) -> dict[str, int]:
        found, here = cost(shape, context, cached), (where == "with") is cached
        return {name: size // share if here and name == part else size for name, size in found.items()}

    assert assess(exercise("06.5"), step_cost, 0).reason == reason
