"""Influence between tensors: each method catches its bug, is quiet on right code, and has its blind spot."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch

from sharedstate import influence
from sharedstate.influence import Influence

Fn = Callable[[torch.Tensor], torch.Tensor]
S, D = 6, 4
PAST = torch.ones(S, S, dtype=torch.bool).tril()


def draw(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Normal numbers from a generator of their own."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


def attention(bias: torch.Tensor, after: torch.Tensor | None = None) -> Fn:
    """One head of attention [S, D] -> [S, D] with an additive mask, and weights multiplied by `after`."""

    def fn(x: torch.Tensor) -> torch.Tensor:
        n = x.shape[-2]
        scores = x @ x.transpose(-1, -2) / math.sqrt(x.shape[-1]) + bias[:n, :n].to(x.dtype)
        weights = scores.softmax(-1)
        if after is not None:
            weights = weights * after[:n, :n]
            weights = weights / weights.sum(-1, keepdim=True)
        return weights @ x

    return fn


def additive(allowed: torch.Tensor, value: float = -math.inf) -> torch.Tensor:
    """0 where a key may be looked at, `value` elsewhere."""
    return torch.zeros(allowed.shape).masked_fill(~allowed, value)


def study(fn: Fn, method: str = "jacobian", x: torch.Tensor | None = None, **more: object) -> Influence:
    """A causal attention, held to exactly the past."""
    return influence.tensors(fn, draw(S, D) if x is None else x, method, may=PAST, must=PAST, **more)


@pytest.mark.parametrize("method", ["jacobian", "perturbation", "neighbour", "poison"])
def test_a_right_causal_mask_isolates_exactly(method: str) -> None:
    found = study(attention(additive(PAST)), method)
    assert found.clean
    assert found.cells("isolated") == tuple((str(r), str(c)) for r in range(S) for c in range(r + 1, S))
    assert all(found.values[r][c] == 0.0 for r in range(S) for c in range(r + 1, S))
    assert all(found.values[r][c] > 0.0 for r in range(S) for c in range(r + 1))
    assert found.witnesses == {} and found.message.startswith("Clean")


@pytest.mark.parametrize("method", ["jacobian", "perturbation", "neighbour", "poison"])
def test_an_off_by_one_leaks_with_a_witness(method: str) -> None:
    found = study(attention(additive(torch.ones(S, S, dtype=torch.bool).tril(1))), method)
    assert found.leaks == tuple((str(r), str(r + 1)) for r in range(S - 1))
    assert found.lost == () and not found.clean
    witness = found.witnesses["0", "1"]
    assert witness.place[0][0] == 0 and witness.answers[0] != witness.answers[1]
    assert "leak 1 → 0" in str(found) and found.state(0, 1) == "leak"


def test_the_witness_of_a_jacobian_is_a_real_derivative() -> None:
    fn, x = attention(additive(torch.ones(S, S, dtype=torch.bool).tril(1))), draw(S, D, dtype=torch.float64)
    witness = study(fn, x=x).witnesses["2", "3"]
    (o, i), step = witness.place, 1e-6
    assert o[0] == 2 and i[0] == 3
    moved = x.clone()
    moved[i] += step
    assert abs(float((fn(moved)[o] - fn(x)[o]) / step)) == pytest.approx(witness.answers[0], rel=1e-4)


def test_the_witness_of_a_perturbation_replays() -> None:
    fn = attention(additive(torch.ones(S, S, dtype=torch.bool).tril(1)))
    witness = study(fn, "perturbation").witnesses["2", "3"]
    before, after = witness.inputs
    assert not torch.equal(before[3], after[3]) and torch.equal(before[:3], after[:3])
    assert (float(fn(before)[witness.place[0]]), float(fn(after)[witness.place[0]])) == witness.answers


@pytest.mark.parametrize("method", ["jacobian", "perturbation"])
def test_a_mask_that_blocks_too_much_has_lost_something(method: str) -> None:
    window = PAST & ~torch.ones(S, S, dtype=torch.bool).tril(-3)
    found = study(attention(additive(window)), method)
    assert found.leaks == () and ("5", "0") in found.lost and ("5", "3") not in found.lost
    assert "never reaches" in found.message and found.witnesses["5", "0"].text.startswith("lost 0 → 5")
    assert influence.tensors(attention(additive(window)), draw(S, D), method, may=PAST).clean


def test_no_mask_leaks_everywhere() -> None:
    assert len(study(attention(torch.zeros(S, S))).leaks) == S * (S - 1) // 2


def test_renormalising_after_softmax_is_a_leak_unless_a_tolerance_is_declared() -> None:
    fn, x = attention(torch.zeros(S, S), after=PAST.float()), draw(S, D)
    assert study(fn, x=x).leaks != () and study(fn, x=x, atol=1e-6).clean


# --- alone against batched


def test_a_mask_of_minus_ten_is_missed_alone_and_caught_by_the_jacobian() -> None:
    fn, x = attention(additive(PAST, -10.0)), 0.5 * draw(S, D)
    alone = study(fn, "alone_vs_batched", x)
    assert alone.clean and alone.columns == ("the rest",)
    assert 1e-6 < max(row[0] for row in alone.values) < 1e-4
    assert "-10" in alone.blind_to and "0.0001" in alone.method
    assert len(study(fn, "jacobian", x).leaks) == S * (S - 1) // 2
    assert not study(fn, "alone_vs_batched", x.double()).clean


def test_alone_against_batched_sees_a_missing_mask() -> None:
    found = study(attention(torch.zeros(S, S)), "alone_vs_batched")
    assert [row for row, _ in found.leaks] == ["0", "1", "2", "3", "4"]
    assert "the rest beside it" in found.witnesses["0", "the rest"].text


def pooled(x: torch.Tensor) -> torch.Tensor:
    """A gate that is pooled over the batch by mistake."""
    return x * torch.sigmoid(x.mean(dim=(0, 1), keepdim=True))


def gated(x: torch.Tensor) -> torch.Tensor:
    """A gate of each sample's own."""
    return x * torch.sigmoid(x.mean(dim=1, keepdim=True))


@pytest.mark.parametrize("method", ["jacobian", "perturbation", "neighbour", "poison", "alone_vs_batched"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_leak_across_the_batch(method: str, dtype: torch.dtype) -> None:
    x, own = draw(3, S, D, dtype=dtype), torch.eye(3, dtype=torch.bool)
    assert not influence.tensors(pooled, x, method, may=own).clean
    assert influence.tensors(gated, x, method, may=own).clean


# --- what each method is blind to


def test_the_jacobian_is_blind_to_a_step_and_a_detached_path() -> None:
    def stepped(x: torch.Tensor) -> torch.Tensor:
        return x + (x.flip(0) > 0).float()

    def detached(x: torch.Tensor) -> torch.Tensor:
        return x + x.flip(0).detach()

    own = torch.eye(2, dtype=torch.bool)
    for fn in (stepped, detached):
        assert influence.tensors(fn, draw(2, 1), "jacobian", may=own).clean
        assert not influence.tensors(fn, draw(2, 1), "perturbation", may=own).clean


def test_a_switched_off_gradient_and_a_function_that_writes_into_its_input_do_not_matter() -> None:
    def halved(x: torch.Tensor) -> torch.Tensor:
        x *= 0.5
        return x

    own = torch.eye(2, dtype=torch.bool)
    with torch.no_grad():
        for method in ("jacobian", "perturbation", "neighbour", "poison", "alone_vs_batched"):
            given = draw(2, 1)
            assert influence.tensors(halved, given, method, may=own).clean
            assert torch.equal(given, draw(2, 1))
        assert influence.tensors(halved, draw(2, 1)).values == ((0.5, 0.0), (0.0, 0.5))


def test_a_witness_keeps_the_inputs_as_they_were_given() -> None:
    def halved_and_crossed(x: torch.Tensor) -> torch.Tensor:
        x *= 0.5
        return x.flip(0)

    found = influence.tensors(halved_and_crossed, draw(2, 1), "perturbation", may=torch.eye(2, dtype=torch.bool))
    witness = found.witnesses["0", "1"]
    answers = tuple(float(halved_and_crossed(x.clone())[witness.place[0]]) for x in witness.inputs)
    assert answers == witness.answers


def test_a_gradient_that_is_a_number_counts_beside_a_nan() -> None:
    def fn(x: torch.Tensor) -> torch.Tensor:
        return torch.stack([torch.cat([(x[1, :1] * 0).sqrt(), 2 * x[1, 1:]]), torch.zeros(2)])

    found = influence.tensors(fn, draw(2, 2))
    assert found.leaks == (("0", "1"),) and found.witnesses["0", "1"].answers[0] == 2.0


def test_a_function_without_any_gradient_is_refused() -> None:
    with pytest.raises(ValueError, match="perturbation"):
        influence.tensors(lambda x: x.detach() * 2, draw(2, 1))
    lost = influence.tensors(lambda x: torch.zeros(2, 1), draw(2, 1), must=torch.eye(2, dtype=torch.bool))
    assert lost.lost == (("0", "0"), ("1", "1"))


def test_minus_1e9_is_exact_on_ordinary_scores_and_leaks_on_adversarial_ones() -> None:
    def opposed(value: float) -> Fn:
        return lambda x: (-x @ x.T + additive(PAST, value)).softmax(-1) @ x

    ordinary, low = draw(S, D), torch.zeros(S, D)
    low[0], low[1] = 1e5, 2e5
    for method in ("jacobian", "perturbation"):
        assert influence.tensors(opposed(-1e9), low, method, may=PAST).leaks != ()
        assert influence.tensors(opposed(-math.inf), [ordinary, low], method, may=PAST).leaks == ()
    assert influence.tensors(opposed(-1e9), ordinary, may=PAST).leaks == ()
    assert influence.tensors(opposed(-1e9), [ordinary, low], may=PAST).leaks != ()
    assert "adversarial" in influence.tensors(opposed(-1e9), ordinary).blind_to


def masked_slots(valid: int) -> Fn:
    """One query over a cache [slots, D] of which `valid` slots are filled; the others score -inf."""

    def fn(cache: torch.Tensor) -> torch.Tensor:
        scores = torch.ones(1, D, dtype=cache.dtype) @ cache.T
        hidden = torch.arange(len(cache)) >= valid
        return (scores.masked_fill(hidden, -math.inf).softmax(-1) @ cache).float()

    return fn


def test_nan_as_poison_accuses_right_code_and_1e30_does_not() -> None:
    cache, freed = draw(5, D), {"slot 3": 3, "slot 4": 4}
    right, wrong = masked_slots(3), masked_slots(4)
    accused = influence.tensors(right, cache, "poison", columns=freed, poison=math.nan)
    assert accused.leaks == (("0", "slot 3"), ("0", "slot 4"))
    assert influence.tensors(right, cache, "poison", columns=freed).clean
    caught = influence.tensors(wrong, cache, "poison", columns=freed)
    assert caught.leaks == (("0", "slot 3"),) and "slot 3 is 1e+30" in caught.witnesses["0", "slot 3"].text
    half = influence.tensors(wrong, cache.half(), "poison", columns=freed)
    assert half.leaks == (("0", "slot 3"),) and "10000" in half.witnesses["0", "slot 3"].text


def zeroed(x: torch.Tensor) -> torch.Tensor:
    """A batch [B, S, D] whose slot is one too long, and was zeroed: everybody attends to a zero key."""
    slots = torch.cat([x, torch.zeros_like(x[:, :1])], dim=1)
    return (x @ slots.transpose(1, 2)).softmax(-1) @ slots


def test_the_neighbour_method_is_blind_to_pollution_without_content() -> None:
    own, x = torch.eye(3, dtype=torch.bool), draw(3, S, D)
    blind = influence.tensors(zeroed, x, "neighbour", may=own, must=own)
    assert blind.clean and "does not depend on what the neighbours contain" in blind.blind_to
    truth = (x @ x.transpose(1, 2)).softmax(-1) @ x
    assert float((zeroed(x) - truth).abs().max()) > 0.01


def test_neighbours_are_compared_bit_by_bit() -> None:
    def faint(x: torch.Tensor) -> torch.Tensor:
        return x + 1e-7 * x.sum(0, keepdim=True)

    own = torch.eye(3, dtype=torch.bool)
    assert not influence.tensors(faint, draw(3, D), "neighbour", may=own).clean
    assert influence.tensors(faint, draw(3, D), "alone_vs_batched", may=own).clean


def test_only_the_neighbour_method_minds_the_sign_of_a_zero() -> None:
    def fn(x: torch.Tensor) -> torch.Tensor:
        return torch.stack([0 * x[1], x[1]])

    given, other, own = torch.ones(2, 1), -torch.ones(2, 1), torch.eye(2, dtype=torch.bool)
    assert influence.tensors(fn, given, "neighbour", other=other, may=own).leaks == (("0", "1"),)
    assert influence.tensors(fn, given, "perturbation", other=other, may=own).clean


def test_a_row_alone_is_by_itself_unless_something_else_is_declared() -> None:
    assert influence.tensors(gated, draw(3, S, D), "alone_vs_batched").clean
    assert not influence.tensors(pooled, draw(3, S, D), "alone_vs_batched").clean


def test_integers_take_their_replacements_from_another_tensor() -> None:
    def shifted(ids: torch.Tensor) -> torch.Tensor:
        return ids.roll(1)

    ids, other = torch.tensor([1, 2, 3]), torch.tensor([4, 5, 6])
    found = influence.tensors(shifted, ids, "perturbation", other=other, may=torch.eye(3, dtype=torch.bool))
    assert found.leaks == (("0", "2"), ("1", "0"), ("2", "1"))
    with pytest.raises(ValueError, match="other"):
        influence.tensors(shifted, ids, "perturbation")
    with pytest.raises(ValueError, match="floating-point"):
        influence.tensors(shifted, ids)


# --- NaN


@pytest.mark.parametrize("method", ["jacobian", "perturbation"])
def test_a_row_of_nan_is_lost_and_never_the_influence_that_must_be(method: str) -> None:
    strict = torch.ones(S, S, dtype=torch.bool).tril(-1)
    found = influence.tensors(attention(additive(strict)), draw(S, D), method, may=strict, must=PAST)
    assert ("0", "0") in found.lost and ("0", "3") in found.leaks
    assert "NaN" in found.witnesses["0", "0"].text


def test_a_gradient_of_nan_decides_nothing_where_the_output_is_a_number() -> None:
    strict = torch.ones(S, S, dtype=torch.bool).tril(-1)
    fn = attention(additive(strict))
    assert influence.tensors(fn, draw(S, D), may=strict).state(3, 4) == "unknown"
    assert influence.tensors(fn, draw(S, D), "perturbation", may=strict).state(3, 4) == "isolated"
    assert influence.tensors(fn, draw(S, D), "perturbation", may=strict).state(3, 1) == "allowed"


# --- groups, heads, declarations


def test_heads_are_isolated_and_the_wrong_reshape_leaks_twelve_of_twelve_pairs() -> None:
    heads, tokens, size = 4, 4, 2
    weight = draw(heads * size, heads * size, seed=1, dtype=torch.float64)
    x = draw(tokens, heads * size, seed=2, dtype=torch.float64)

    def right(w: torch.Tensor) -> torch.Tensor:
        return (x @ w).view(tokens, heads, size).transpose(0, 1)

    def wrong(w: torch.Tensor) -> torch.Tensor:
        return (x @ w).view(heads, tokens, size)

    columns = {f"W{h}": (slice(None), slice(h * size, (h + 1) * size)) for h in range(heads)}
    own = torch.eye(heads, dtype=torch.bool)
    assert influence.tensors(right, weight, columns=columns, may=own, must=own).clean
    leaks = influence.tensors(wrong, weight, columns=columns, may=own, must=own).leaks
    assert len(leaks) == heads * (heads - 1) == 12


def test_pixels_are_groups_of_two_axes() -> None:
    x, everything = draw(2, 2, 3), [("*", "*")]
    found = influence.tensors(lambda x: x.roll(1, 1), x, rows=(0, 1), columns=(0, 1), may=everything)
    assert found.rows == ("0,0", "0,1", "1,0", "1,1") == found.columns
    assert found.cells("allowed") == (("0,0", "0,1"), ("0,1", "0,0"), ("1,0", "1,1"), ("1,1", "1,0"))


@pytest.mark.parametrize(
    ("change", "word"),
    [({"method": "tokens"}, "method"), ({"rows": 7}, "rows"), ({"columns": True}, "columns"),
     ({"atol": -1}, "atol"),
     ({"may": torch.ones(2, 2, dtype=torch.bool)}, "6 rows"), ({"must": [("0", "nobody")]}, "nobody"),
     ({"may": ["ab"]}, "pairs"), ({"x": 3}, "tensor"), ({"x": []}, "tensor"),
     ({"fn": lambda x: 1.0}, "fn must"), ({"fn": lambda x: x.sum()}, "fn must"), ({"rows": {}}, "0 groups"),
     ({"method": "alone_vs_batched", "columns": (0, 1)}, "axis"),
     ({"method": "alone_vs_batched", "rows": 1}, "row for each")],
)  # fmt: skip
def test_bad_input_is_refused_with_a_reason(change: dict, word: str) -> None:
    given = {"fn": lambda x: x * 1.0, "x": draw(S, D), **change}
    with pytest.raises(ValueError, match=word):
        influence.tensors(**given)


def test_a_function_that_changes_from_call_to_call_is_refused() -> None:
    calls = iter(range(100))
    with pytest.raises(ValueError, match="deterministic"):
        influence.tensors(lambda x: x + next(calls), draw(2, 2))


def test_the_global_generator_is_left_alone() -> None:
    before = torch.get_rng_state()
    study(attention(additive(PAST)), "perturbation")
    assert torch.equal(before, torch.get_rng_state())


def test_only_the_rows_asked_for_must_be_steady() -> None:
    drawn = torch.Generator().manual_seed(1)

    def sampled(x: torch.Tensor) -> torch.Tensor:
        return torch.stack((2 * x, x + torch.randn(x.shape, generator=drawn)))

    x = torch.ones(3)
    found = influence.tensors(sampled, x, rows={"own": (0,)}, columns=0, may=[("*", "*")])
    assert found.clean
    with pytest.raises(ValueError, match="two results for one input, in row 1"):
        influence.tensors(sampled, x, rows=0, columns=0)
