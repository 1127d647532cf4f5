"""Exercise 04.2: cut channels into heads and put them together again; every number is known by its name."""

from __future__ import annotations

from typing import Any

from sharedstate.checks.tensors import complaint, indexed, told
from sharedstate.checks.types import Case, Exercise, Verdict, is_record
from sharedstate.checks.values import require_pair

KIND = "int64"
HALVES = "numbers with a fraction"
CUT = "heads that lie in memory as a cut leaves them"
FIRST = 2**40 + 1   # the first number to merge: not one that was cut, too large for a float32, and not the smallest


class CutWithoutALeak(Exercise):
    """The answer is a pair: split_heads(x, heads) -> [B, H, S, D], merge_heads(x) -> [B, S, H * D]."""

    id = "04.2"
    title = "Cut without a leak"
    answer = "cut"
    minutes = 10
    difficulty = 1
    points = 2.0
    expects = "a pair of functions"
    seconds = 10.0

    def cases(self, seed: int) -> list[Case]:
        """One token first; then as many positions as heads, where wrong axes fit; then more."""
        draw = self.draw(seed)
        length = draw.randrange(5, 8)
        return [
            _case("one token", 1, 1, 2, 3, visible=True),
            _case("several tokens", 1, length, 2, 3),
            _case("as many positions as heads", 1, 4, 4, 3),
            _case("two requests", 2, length, 3, draw.randrange(2, 5)),
            _case("as many channels as heads", 2, 5, 4, 4),
            _case("one head", 2, 3, 1, 4),
            _case("more heads than positions", 3, 2, 7, 2),
            _case(HALVES, 1, 3, 2, 2),
            _case(CUT, 2, 3, 2, 3),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Cut numbered channels; merge numbered heads that are cut right."""
        import torch

        require_pair(answer, "`cut` should be a pair of functions.")
        batch, length, heads, size = (case[name] for name in ("batch", "length", "heads", "size"))
        x = torch.arange(batch * length * heads * size).reshape(batch, length, heads * size)
        right = torch.stack((FIRST - x).split(size, dim=-1), dim=1)
        if case.label == HALVES:
            x, right = x.double() / 2, right.double() / 2
        if case.label == CUT:
            right = right.transpose(1, 2).contiguous().transpose(1, 2)
        split = told(answer[0](x.clone(), heads), "split_heads")
        return {"split": split, "merged": told(answer[1](right), "merge_heads")}

    def judge(self, case: Case, value: object) -> Verdict:
        """Where did each number go? First the cut, then the way back."""
        if not is_record(value, ("split", "merged")):
            return self.wrong("wrong-shape", "Nothing could be read of the two results.")
        batch, length, heads, size = (case[name] for name in ("batch", "length", "heads", "size"))
        shape, back = [batch, heads, length, size], [batch, length, heads * size]
        kind, unit = ("float64", 2) if case.label == HALVES else (KIND, 1)
        bad = complaint(value["split"], shape, kind, f"Case '{case.label}': split_heads' result")
        bad = bad or complaint(value["merged"], back, kind, f"Case '{case.label}': merge_heads' result")
        if bad:
            return self.wrong("wrong-shape", bad)
        for (b, h, s, d), number in indexed(value["split"], shape):
            if unit * number != ((b * length + s) * heads + h) * size + d:
                return self._strayed(case, (b, h, s), int(unit * number))
        if value["merged"]["data"] != [(FIRST - n) / unit for n in range(batch * length * heads * size)]:
            message = f"Case '{case.label}': merge_heads does not put the channels back where they came from."
            return self.wrong("merge-scrambles", message)
        return self.right("Every number of a head is its own, and finds its way back.")

    def _strayed(self, case: Case, at: tuple[int, int, int], number: int) -> Verdict:
        """Say what got mixed: requests, positions or heads."""
        channels = case["heads"] * case["size"]
        request, position = number // (case["length"] * channels), number // channels % case["length"]
        head = number % channels // case["size"]
        where = f"Case '{case.label}': request {at[0]}, head {at[1]}, position {at[2]} holds a number of "
        if request != at[0]:
            return self.wrong("mixes-requests", f"{where}request {request}.")
        if position != at[2]:
            message = f"{where}position {position}. A reshape counts on along the line; an axis must move."
            return self.wrong("mixes-positions", message)
        message = f"{where}head {head}, or in another order. Head 0 gets the first channels."
        return self.wrong("mixes-heads", message)


def _case(label: str, batch: int, length: int, heads: int, size: int, visible: bool = False) -> Case:
    return Case(label, {"batch": batch, "length": length, "heads": heads, "size": size}, visible)


EXERCISE = CutWithoutALeak()
