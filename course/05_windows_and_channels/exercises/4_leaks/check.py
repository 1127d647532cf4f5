"""Exercise 05.4: find the layers in which one image of a batch influences another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sharedstate.checks.tensors import unchanged
from sharedstate.checks.types import Case, Exercise, Verdict

if TYPE_CHECKING:
    from torch import Tensor

TINY = 1e-9
CHANNELS, SIDE = 3, 2
VISIBLE = "pooled over the batch"
CHANGED = "clean at first, then changed"


class LeakFinder(Exercise):
    """The answer is leaks(layer, x) -> [[victim, neighbour], …], numbers of images, sorted."""

    id = "05.4"
    title = "Who leaks across the batch?"
    answer = "leaks"
    minutes = 8
    difficulty = 3
    points = 3.0
    expects = "a function"
    given_pure = True

    def cases(self, seed: int) -> list[Case]:
        """A gate pooled over the batch; then clean layers, and leaks that a hasty test does not see."""
        draw = self.draw(seed)
        batch, start = draw.randrange(6, 8), draw.randrange(1000)
        return [Case(kind, {"batch": 2 if kind == VISIBLE else batch, "seed": start + n}, kind == VISIBLE)
                for n, kind in enumerate(LAYERS)]

    def run(self, answer: Any, case: Case) -> object:
        """Give the answer one layer and a batch, and return the pairs that it found."""
        import torch

        draw = torch.Generator().manual_seed(case["seed"])
        x = torch.rand(case["batch"], CHANNELS, SIDE, SIDE, dtype=torch.float64, generator=draw)
        kept = x.clone()
        layers = [LAYERS[case.label][0]]

        def box(images: Tensor) -> Tensor:  # without the layer's name on it
            return layers[-1](images)

        found = answer(box, x)
        if case.label == CHANGED:
            layers.append(_pooled)
            found = answer(box, x)
        unchanged(x, kept, self.answer)
        if type(found) not in (list, tuple, set, frozenset):
            return found
        return [list(pair) if type(pair) in (list, tuple) else pair for pair in found]

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare with the pairs for which the layer was made."""
        if type(value) is not list or not all(_is_pair(pair) for pair in value):
            said = "leaks should return a list of pairs [victim, neighbour], numbers of images."
            return self.wrong("wrong-shape", said)
        wanted = [[i, j] for i in range(case["batch"]) for j in range(case["batch"])
                  if i != j and LAYERS[case.label][1](i, j)]
        own = next((pair for pair in value if pair[0] == pair[1]), None)
        if own is not None:
            said = f"{own}: an image may influence itself. That is its own answer."
            return self.wrong("accuses-itself", said)
        if sorted(value) == sorted([j, i] for i, j in wanted) != wanted:
            return self.wrong("wrong-way-round", "Victim first, neighbour second: you have them exchanged.")
        if case.label == CHANGED and not value:
            said = ("The same layer, which had been clean, was changed and came in again, and your function said what "
                    "it had said before: something is kept from one call to the next.")
            return self.wrong("keeps-state", said)
        missed = [pair for pair in wanted if pair not in value]
        if missed:
            reason, why = LAYERS[case.label][2]
            victim, neighbour = missed[0]
            said = f"The layer '{case.label}': image {neighbour} reaches image {victim}, not found. {why}"
            return self.wrong(reason, said)
        false = [pair for pair in value if pair not in wanted]
        if false:
            said = f"The layer '{case.label}' is innocent of {false[0]}: compare exactly, image by image."
            return self.wrong("false-alarm", said)
        if value != wanted:
            return self.wrong("wrong-order", "Each pair once, sorted.")
        return self.right("Every leak found, nobody accused.")


def _is_pair(pair: object) -> bool:
    return type(pair) is list and len(pair) == 2 and all(type(n) is int for n in pair)


def _weighed(x: Tensor, weights: Tensor) -> Tensor:
    """x [B, C, H, W] times a weight for each image and channel, [B, C] (or [C] for all images)."""
    import torch

    return x * torch.sigmoid(weights)[..., :, None, None]


def _pooled(x: Tensor) -> Tensor:
    return _weighed(x, x.mean((0, 2, 3)))


def _own(x: Tensor) -> Tensor:
    return _weighed(x, x.mean((2, 3)))


def _image_before(x: Tensor) -> Tensor:
    weights = x.mean((2, 3))
    weights[1:] = weights[1:] + weights[:-1].clone()
    return _weighed(x, weights)


def _first_image(x: Tensor) -> Tensor:
    return _weighed(x, x.mean((2, 3)) + x[:1].mean((2, 3)))


def _billionth(x: Tensor) -> Tensor:
    return _weighed(x, x.mean((2, 3)) + TINY * x.mean((0, 2, 3)).clamp(-1, 1))


def _bright(x: Tensor) -> Tensor:
    means = x.mean((1, 2, 3))                   # [B]
    return _weighed(x, x.mean((2, 3)) + (means.max() - 10.0).clamp(min=0.0))


def _dark(x: Tensor) -> Tensor:
    means = x.mean((1, 2, 3))                   # [B]
    return _weighed(x, x.mean((2, 3)) + (means.min() + 10.0).clamp(max=0.0))


def _one_pixel(x: Tensor) -> Tensor:
    out = _own(x)
    out[:, 0, -1, -1] = out[:, 0, -1, -1] + x[:, 0, -1, -1].mean()
    return out


def _step(x: Tensor) -> Tensor:
    return _weighed(x, x.mean((2, 3)) + (x.mean((1, 2, 3)) > 1.5).any())


def _normalised(x: Tensor) -> Tensor:
    means = x.mean((2, 3))                      # [B, C]
    return _weighed(x, (means - means.mean(0)) / (means.std(0) + 1.0))


def _whole_numbers(x: Tensor) -> Tensor:
    """Every image by itself, in numbers whose sums are exact."""
    return (8 * x).round().clamp(-800, 800)


def _keeps_the_sum(x: Tensor) -> Tensor:
    """What comes over is added to one pixel and taken from the next: sum and mean of each image stay."""
    out, over = _whole_numbers(x), (x.mean((1, 2, 3)).sum() - x.mean((1, 2, 3))).round().clamp(-500, 500)
    out[:, 0, 0, 0] = out[:, 0, 0, 0] + over
    out[:, 0, 0, 1] = out[:, 0, 0, 1] - over
    return out


def _between_channels(x: Tensor) -> Tensor:
    """The same between two channels: the sum over the channels of each pixel stays, too."""
    out, over = _whole_numbers(x), (x.mean((1, 2, 3)).sum() - x.mean((1, 2, 3))).round().clamp(-500, 500)
    out[:, 0] = out[:, 0] + over[:, None, None]
    out[:, -1] = out[:, -1] - over[:, None, None]
    return out


def _turned_over(x: Tensor) -> Tensor:
    """An image with a bright or dark neighbour is turned left to right: its sums, its largest pixel, its norm stay."""
    import torch

    out, loud = _own(x), x.mean((1, 2, 3)).abs() > 10.0     # [B]
    return torch.where((loud.sum() - loud.long() > 0)[:, None, None, None], out.flip(-1), out)


def _from_last_channel(x: Tensor) -> Tensor:
    weights = x.mean((2, 3))
    return _weighed(x, weights + x[:, -1].mean())


def _from_first_channel(x: Tensor) -> Tensor:
    weights = x.mean((2, 3))
    return _weighed(x, weights + x[:, 0].mean())


def _into_last_channel(x: Tensor) -> Tensor:
    out = _own(x)
    out[:, -1] = out[:, -1] + x.mean()
    return out


def _into_one_pixel(x: Tensor) -> Tensor:
    out = _own(x)
    out[:, -1, -1, 0] = out[:, -1, -1, 0] + x.mean()
    return out


def _swaps(x: Tensor) -> Tensor:
    """Image 0 gets channel 0 of image 1: neither the largest nor the smallest value need change."""
    out = _own(x)
    out[0, 0] = out[0, 0] + x[1, 0].mean().clamp(-3, 3)
    return out


# What each layer is, which pairs (victim, neighbour) leak in it, and the reason and word for who misses them.
Layer = tuple[Callable[["Tensor"], "Tensor"], Callable[[int, int], bool], tuple[str, str]]
EACH = ("misses-some-images", "Try every image as neighbour and as victim.")
TRY_BOTH = ("too-few-changes", "Try more than one change: much brighter, much darker.")
PLAIN = ("misses-a-leak", "Change one image, compare the others.")
EXACT = ("tolerance", "Isolation is exact: ask for equality bit for bit.")
SUMS = ("compares-sums", "Compare pixel by pixel: sums and means can stay when pixels change.")
SOME = ("misses-some-channels", "Change every channel, and compare every channel.")
WHOLE = ("misses-some-pixels", "Compare the whole image, and change all of it.")
LAYERS: Mapping[str, Layer] = MappingProxyType({
    VISIBLE: (_pooled, lambda i, j: True, PLAIN),
    "each image's own mean": (_own, lambda i, j: False, PLAIN),
    "only from the image before": (_image_before, lambda i, j: i == j + 1, EACH),
    "only the first image is read": (_first_image, lambda i, j: j == 0, EACH),
    "a leak of a billionth": (_billionth, lambda i, j: True, EXACT),
    "only a bright neighbour is seen": (_bright, lambda i, j: True, TRY_BOTH),
    "only a dark neighbour is seen": (_dark, lambda i, j: True, TRY_BOTH),
    "only one pixel leaks": (_one_pixel, lambda i, j: True, WHOLE),
    "a step without a slope": (_step, lambda i, j: True, TRY_BOTH),
    "a leak that keeps the sum": (_keeps_the_sum, lambda i, j: True, SUMS),
    "a leak that keeps the sum over the channels": (_between_channels, lambda i, j: True, SUMS),
    "a leak that moves pixels and changes none": (_turned_over, lambda i, j: True, SUMS),
    "only the last channel is read": (_from_last_channel, lambda i, j: True, SOME),
    "only the first channel is read": (_from_first_channel, lambda i, j: True, SOME),
    "only the last channel is written": (_into_last_channel, lambda i, j: True, WHOLE),
    "only one pixel of the last channel is written": (_into_one_pixel, lambda i, j: True, WHOLE),
    "one image reads one channel of another": (_swaps, lambda i, j: (i, j) == (0, 1), SOME),
    CHANGED: (_own, lambda i, j: True, PLAIN),
    "normalised over the batch": (_normalised, lambda i, j: True, PLAIN),
})


EXERCISE = LeakFinder()
