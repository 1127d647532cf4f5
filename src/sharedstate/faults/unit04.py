"""The faults of unit 04: heads that mix, a mask that is missing, and masks that are there and wrong.

Nothing here is left to chance: weights and tokens come from fixed seeds, hostile scores are given. A mask is
asked who sees whom, and the answer must be exactly the past: no cell leaks, none is lost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sharedstate.faults.table import Fault, Names, Probe

if TYPE_CHECKING:
    from sharedstate.influence import Influence

UNIT = "04_attention_and_masks"
HALF = math.log(16) / 2
SEEDS = (0, 1, 2)
Row = tuple[str, Mapping[str, Any], int, int | None]  # weighing function, how it is looked at, leaks, lost


EXACT = "influence matrix by exact-zero Jacobian: "
BOTTOM_RIGHT = "a boolean mask, filled with -inf before the softmax, counted from the bottom right (safe)"
OPENED = "both masks joined by and, an empty row looks at its own place (safe with real)"
CONTROL = "the causal mask, under the same scores and shape"


def looked(name: str, **how: object) -> Callable[[Names], Influence]:
    """Return a probe for the matrix of the weighing function `name`; a text in `how` names a value."""

    def matrix(names: Names) -> Influence:
        given = {key: names.get(word, word) if type(word) is str else word for key, word in how.items()}
        return names["look"](names[name], **given)

    return matrix


def causal_clean(hostile: float = 0.0, q_len: int = 6) -> Probe:
    """Return the control: the lesson's right mask, exactly clean under the same scores and shape."""

    def clean(names: Names) -> bool:
        weigh = names["right"]
        return names["look"](weigh, q_len=q_len, hostile=hostile).clean

    return clean


def safe_clean(names: Names) -> bool:
    """The lesson's own proof: every shape up to six by six, ordinary and hostile scores."""
    return all(matrix.clean for matrix in names["found"])


def padded_clean(names: Names) -> bool:
    """The fix with padding: clean, by derivatives and by changing inputs."""
    safe, real, wanted = names["safe"], names["real"], names["wanted"]
    ways = ("jacobian", "perturbation")
    return all(names["look"](lambda s: safe(s, real=real), may=wanted, method=way).clean for way in ways)


def unpadded_clean(names: Names) -> bool:
    """The control with padding: the causal mask alone is clean where nothing is padded."""
    return causal_clean()(names)


# --- heads


def heads_mix(names: Names) -> bool:
    """Every pair of heads leaks under the hasty cut, and 16 pairs of positions leak."""
    split = names["hasty_split"]
    heads = _heads(names, lambda W: names["heads_of"](W, split))
    return len(heads.leaks) == 12 and len(_positions(names, split).leaks) == 16


def heads_apart(names: Names) -> bool:
    """Under the right cut no head and no future position leaks."""
    return _heads(names, names["heads_of"]).clean and _positions(names, names["split_heads"]).clean


def _heads(names: Names, heads: Callable) -> Influence:
    return names["tensors"](heads, names["W"], rows=0, columns=0, may=names["own"], must=names["own"])


def _positions(names: Names, split: Callable) -> Influence:
    x, past = names["x"][0], names["past"]
    return names["tensors"](lambda x: names["positions"](x, split), x, rows=0, columns=0, may=past)


def heads_equal(names: Names) -> bool:
    """With one projection for all, the heads are equal to the last bit."""
    heads = names["heads_of"](names["one_for_all"])
    return all(bool((head == heads[0]).all()) for head in heads)


def heads_differ(names: Names) -> bool:
    """With projections of their own, no two heads are equal anywhere."""
    heads = names["heads_of"](names["W"])
    return not any(bool((heads[i] == heads[j]).any()) for i in range(len(heads)) for j in range(i))


# --- no mask


def loss_too_good(names: Names) -> bool:
    """Without the mask the loss on noise falls under half of ln V in 40 steps, for three seeds."""
    runs = [names["noise_run"](names["full_mask"], seed, steps=40) for seed in SEEDS]
    return all(run.first_below(HALF) is not None for run in runs)


def loss_honest(names: Names) -> bool:
    """With the mask it never does."""
    return all(names["noise_run"](names["causal_mask"], seed).first_below(HALF) is None for seed in SEEDS)


# --- torch's own alignment, and the other path


def sees_the_oldest(names: Names) -> bool:
    """One query of six keys gets exactly value 0: five cells are lost; the mask written out loses too."""
    import torch

    keys = _keys(names)
    step, past = names["decode_step"], names["causal_mask"](1, 6)
    matrix = names["tensors"](step, keys, rows=0, columns=0, may=past, must=past)
    written = names["look"](names["top_left"], 3, 6)
    return torch.equal(step(keys)[0], keys[0]) and len(matrix.lost) == 5 and len(written.lost) > 0


def square_is_right(names: Names) -> bool:
    """As many queries as keys: both corners are the same, and nothing is lost."""
    keys, past, step = _keys(names), names["causal_mask"](6, 6), names["decode_step"]
    whole = names["tensors"](lambda x: step(x, 6), keys, rows=0, columns=0, may=past, must=past)
    return whole.clean and names["look"](names["top_left"], 6, 6).clean


def slow_path_leaks(names: Names) -> bool:
    """The path that gives the scores sees the whole future."""
    return len(_path(names, want_scores=True).leaks) == 15


def fast_path_clean(names: Names) -> bool:
    """The fused path is causal."""
    return _path(names, want_scores=False).clean


def paths_agree(names: Names) -> bool:
    """With its mask kept, the slow path is clean, and gives the rows of the fast one."""
    import torch

    keys, past, attention = _keys(names), names["causal_mask"](6, 6), names["attention"]

    def slow(x: torch.Tensor) -> torch.Tensor:
        return attention(x[None, None], x[None, None], x[None, None], past)[0, 0]

    matrix = names["tensors"](slow, keys, rows=0, columns=0, may=past, must=past)
    same = torch.allclose(slow(keys), names["two_paths"](keys), atol=1e-6)
    return matrix.clean and same and safe_clean(names)


def _keys(names: Names) -> Any:
    import torch

    return torch.randn(6, names["D"], generator=names["seeded"](3))


def _path(names: Names, want_scores: bool) -> Influence:
    past = names["causal_mask"](6, 6)

    def path(x: object) -> object:
        return names["two_paths"](x, want_scores)

    return names["tensors"](path, _keys(names), rows=0, columns=0, may=past, must=past)


# --- NaN, and windows


def empty_rows_spread(names: Names) -> bool:
    """Two empty rows are NaN after one layer, all eight after two."""
    look = looked("empty_rows", may="wanted", method="perturbation")(names)
    return bool(look.leaks) and _nan_rows(names, opened=False) == [2, 8]


def opened_rows(names: Names) -> bool:
    """With the empty rows opened nothing is NaN in either depth, and the matrix is clean."""
    return padded_clean(names) and _nan_rows(names, opened=True) == [0, 0]


def _nan_rows(names: Names, opened: bool) -> list[int]:
    """Count the positions that are NaN in a model of one layer, and of two."""
    import torch

    tokens = torch.tensor([[0, 0, 3, 1, 4, 1, 5, 9]])
    mask = names["combine"](names["causal_mask"](8, 8), names["padding_mask"](tokens > 0))
    mask = names["open_empty_rows"](mask) if opened else mask
    shapes = [names["GPTConfig"](vocab_size=10, num_layers=layers, d_model=32) for layers in (1, 2)]
    return [int(names["GPT"](shape)(tokens, mask=mask).isnan().any(-1).sum()) for shape in shapes]


def wide_window(names: Names) -> bool:
    """A window of three that holds four keys: one cell leaks in each row that has so many."""
    return len(_window(names, names["window_inclusive"]).leaks) == 3


def right_window(names: Names) -> bool:
    """The window of the fix holds three keys, no more and no fewer."""
    return _window(names, lambda scores: names["safe"](scores, window=3)).clean


def whole_window(names: Names) -> bool:
    """A window as long as the text is the causal mask, inclusive or not."""
    return names["look"](lambda scores: names["window_inclusive"](scores, window=6)).clean


def _window(names: Names, weigh: Callable) -> Influence:
    return names["look"](weigh, may=names["sliding_window_mask"](6, 6, 3))


# --- the table

MASKS: Mapping[str, Row] = MappingProxyType({
    # name: (weighing function, how it is looked at, leaks, lost)
    "mask-off-by-one": ("one_too_many", {}, 5, 0),
    "mask-without-self": ("without_self", {"method": "perturbation"}, 5, 2),
    "mask-after-softmax": ("after_softmax", {}, 15, 0),
    "mask-inverted": ("inverted", {"method": "perturbation"}, 15, None),
    "MASK-02": ("finite", {"hostile": 2e4}, 15, None),
    "mask-additive-1e9": ("additive", {"hostile": 2e9}, 15, None),
})
PADDED: Mapping[str, Row] = MappingProxyType({
    "mask-padding-replaces": ("replaced", {"may": "wanted"}, 14, 0),
    "mask-finfo-twice": ("lowest_twice", {"may": "wanted"}, 9, 0),
})


def _wrong(weigh: str, how: Mapping[str, Any], leaks: int, lost: int | None) -> Probe:
    """Return the probe that counts the leaks; None: something must be lost, how much is no matter."""

    def shown(names: Names) -> bool:
        found = looked(weigh, **how)(names)
        return len(found.leaks) == leaks and (bool(found.lost) if lost is None else len(found.lost) == lost)

    return shown


def _fault(name: str, oracle: str, control: str, fix: str, *probes: Probe) -> Fault:
    return Fault(name, UNIT, oracle, control, fix, *probes)


def _mask_faults() -> tuple[Fault, ...]:
    plain = [
        _fault(name, _oracle(how), CONTROL, BOTTOM_RIGHT, _wrong(weigh, how, leaks, lost),
               causal_clean(how.get("hostile", 0.0)), safe_clean)
        for name, (weigh, how, leaks, lost) in MASKS.items()
    ]
    padded = [
        _fault(name, _oracle(how), "no padding: the causal mask alone", OPENED,
               _wrong(weigh, how, leaks, lost), unpadded_clean, padded_clean)
        for name, (weigh, how, leaks, lost) in PADDED.items()
    ]
    return (*plain, *padded)


def _oracle(how: Mapping[str, Any]) -> str:
    """Say which method fills the matrix, and under which scores."""
    if how.get("method") == "perturbation":
        return "influence matrix by changed inputs (a row is NaN): exactly the past"
    return EXACT + ("hostile scores on the past" if "hostile" in how else "exactly the past, without padding")


FAULTS: tuple[Fault, ...] = (
    _fault("heads-reshape", EXACT + "heads, then positions", "the same weights, cut by split_heads",
           "cut the channels, then swap two axes (split_heads)", heads_mix, heads_apart, heads_apart),
    _fault("heads-one-projection", "heads are equal to the last bit", "each head its own projections",
           "each head its own projections", heads_equal, heads_differ, heads_differ),
    _fault("missing-mask", "loss below half of ln V on independent uniform tokens, three seeds",
           "the same model with the causal mask", "the causal mask", loss_too_good, loss_honest, loss_honest),
    *_mask_faults(),
    _fault("MASK-01", EXACT + "one query, six keys: what must arrive", "as many queries as keys",
           BOTTOM_RIGHT, sees_the_oldest, square_is_right, safe_clean),
    _fault("mask-empty-row", "influence matrix by changed inputs, NaN counted after one layer and two",
           "no padding: the causal mask alone", OPENED, empty_rows_spread, unpadded_clean, opened_rows),
    _fault("mask-window-inclusive", EXACT + "exactly the last three", "a window as long as the text",
           "key > query - window (safe with window)", wide_window, whole_window, right_window),
    _fault("MASK-03", EXACT + "on every path", "the fused path", "the mask stays on both paths",
           slow_path_leaks, fast_path_clean, paths_agree),
)
