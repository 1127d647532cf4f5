"""Exercise 07.6: a padded batch with its mask, its positions, and the column where each answer stands."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from sharedstate.checks.tensors import complaint, told
from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict

PARTS = ("tokens", "real", "positions", "last")
KINDS = ("int64", "bool", "int64", "int64")
WHERE = MappingProxyType(
    {"wrong-side": "tokens", "wrong-mask": "real", "wrong-positions": "positions", "wrong-last": "last"}
)


class PaddedBatch(Exercise):
    """The answer is pad(prompts, filler, side) -> (tokens, real, positions, last)."""

    id = "07.6"
    title = "Padding and positions"
    answer = "pad"
    minutes = 10
    difficulty = 1
    points = 2.0
    expects = "a function"

    def cases(self, seed: int) -> list[Case]:
        """Two prompts first; then both sides, a filler that is a token too, equal lengths, one row, many rows."""
        draw = self.draw(seed)
        many = [[draw.randrange(1, 90) for _ in range(draw.randrange(1, 7))] for _ in range(6)]
        return [
            _case("left, two prompts", [[5, 6, 7], [8]], 0, "left", visible=True),
            _case("right, two prompts", [[5, 6, 7], [8, 9]], 0, "right"),
            _case("the shorter first", [[8, 9], [5, 6, 7, 4]], 0, "left"),
            _case("the filler is a token too", [[0, 6, 0, 7], [0, 9]], 0, "left"),
            _case("a filler of 7, right", [[7, 6, 5], [7], [1, 7]], 7, "right"),
            _case("a filler below zero", [[3, 1], [2, 4, 1]], -100, "right"),
            _case("equal lengths", [[1, 2], [3, 4], [5, 6]], 0, "left"),
            _case("one prompt", [[draw.randrange(1, 90) for _ in range(5)]], 3, "right"),
            _case("one token each", [[4], [5]], 0, "left"),
            _case("a long one and a short one", [[128_000] * 300, [90_000, 7]], 0, "left"),
            _case("many, left", many, draw.randrange(90), "left"),
            _case("many, right", many, draw.randrange(90), "right"),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Pad twice, the second time with the prompts in reverse, and look at both when both are there."""
        found = [self._padded(answer, case, prompts) for prompts in _both(case)]
        return [{name: told(part, name) for name, part in zip(PARTS, parts, strict=True)} for parts in found]

    def _padded(self, answer: Any, case: Case, given: list[list[int]]) -> Any:
        """Return four tensors; the prompts must be as they were."""
        prompts = [list(prompt) for prompt in given]
        found = answer(prompts, case["filler"], case["side"])
        if found is None:
            raise AnswerProblem("untouched", "pad returns nothing yet.")
        if not isinstance(found, (tuple, list)) or len(found) != len(PARTS):
            raise AnswerProblem("wrong-shape", f"pad should return four tensors: {', '.join(PARTS)}.")
        if prompts != given:
            raise AnswerProblem("changes-its-input", "pad changes the prompts: they belong to the caller.")
        return found

    def judge(self, case: Case, value: object) -> Verdict:
        """Judge both batches. The first is looked at after the second was made: it must still be the first."""
        if type(value) is not list or len(value) != 2:
            return self.wrong("wrong-shape", "Nothing could be read of this batch.")
        for which, (prompts, parts) in enumerate(zip(_both(case), value, strict=True)):
            found = self._batch(case, prompts, parts)
            part = WHERE.get(found[0]) if found and not which else None
            if part and parts[part] == value[1][part] and self._batch(case, _both(case)[1], value[1]) is None:
                said = f"`{part}` of the first batch, looked at after a second call, is the second's. Make new ones."
                found = "one-batch-for-all", said
            if found:
                return self.wrong(found[0], f"Case '{case.label}'{', in reverse' * which}: {found[1]}")
        return self.right("Right on both sides: what is padding, where each token stands, where the answer is.")

    def _batch(self, case: Case, prompts: list[list[int]], batch: object) -> tuple[str, str] | None:
        """Shapes; then row by row. Return (reason, what is wrong) or None."""
        if type(batch) is not dict or set(batch) != set(PARTS):
            return "wrong-shape", "nothing could be read of this batch."
        height, width = len(prompts), max(map(len, prompts))
        for name, kind in zip(PARTS, KINDS, strict=True):
            bad = complaint(batch[name], [height] if name == "last" else [height, width], kind, name)
            if bad:
                return "wrong-shape", bad
        for row, prompt in enumerate(prompts):
            parts = {name: batch[name]["data"][row * width:][:width] for name in PARTS[:3]}
            found = self._row(case, prompt, parts, batch["last"]["data"][row])
            if found:
                return found[0], f"row {row} = {prompt}: {found[1]}"
        return None

    def _row(self, case: Case, prompt: list[int], parts: dict[str, list], last: int) -> tuple[str, str] | None:
        """Tokens, mask, positions (padding may have any legal one), last. Return (reason, what is wrong) or None."""
        width = len(parts["tokens"])
        first = width - len(prompt) if case["side"] == "left" else 0
        inside = [first <= column < first + len(prompt) for column in range(width)]
        gaps = width - len(prompt)
        wanted = [case["filler"]] * first + prompt + [case["filler"]] * (gaps - first)
        if parts["tokens"] != wanted:
            return "wrong-side", f"tokens are {parts['tokens']}, not {wanted}."
        if parts["real"] != inside:
            if parts["real"] == [token != case["filler"] for token in wanted]:
                return "guesses-from-content", "its own tokens may equal the filler: count, don't look."
            return "wrong-mask", f"real is {parts['real']}, and padded are {gaps} of {width} columns."
        places = [place for place, here in zip(parts["positions"], inside, strict=True) if here]
        if places != list(range(len(prompt))):
            return "wrong-positions", f"its tokens stand at positions {places}; the first one of a prompt stands at 0."
        if not all(0 <= place < width for place in parts["positions"]):
            return "illegal-position", f"positions {parts['positions']}: padding needs a legal one too, 0 say."
        if last != first + len(prompt) - 1:
            return "wrong-last", f"its last token stands in column {first + len(prompt) - 1}, not in {last}."
        return None


def _both(case: Case) -> list[list[list[int]]]:
    """Return the prompts, and the same in reverse: another batch of the same shape."""
    return [case["prompts"], case["prompts"][::-1]]


def _case(label: str, prompts: list[list[int]], filler: int, side: str, visible: bool = False) -> Case:
    return Case(label, {"prompts": prompts, "filler": filler, "side": side}, visible)


EXERCISE = PaddedBatch()
