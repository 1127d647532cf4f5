"""Exercise 05.3: attention along the height, then along the width."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sharedstate.checks.tensors import counted, is_plain_tensor, nested, plain_tensor, unchanged
from sharedstate.checks.types import Case, Exercise, Verdict, is_record

if TYPE_CHECKING:
    from torch import Tensor

SEEN = frozenset({"groups", "result"})
CHANGED = "the same image, with other pixels"
HALVES = "numbers with a fraction"
MODULUS = 94_906_249  # some numbers are too large for a float32, and no square for a float64
Rows = list[list[list[int]]]        # [groups][tokens][channels]


class HeightThenWidth(Exercise):
    """The answer is axial(x, attend): [B, H, W, C] in and out, attend works on [groups, tokens, C]."""

    id = "05.3"
    title = "Height, then width"
    answer = "axial"
    minutes = 6
    difficulty = 2
    points = 2.0
    expects = "a function"

    def cases(self, seed: int) -> list[Case]:
        """Sums on a square image; then oblong ones, channels, images, and an attend that knows the order."""
        draw = self.draw(seed)
        height, width = draw.sample((2, 3, 4, 5), 2)
        return [
            _case("a square image", [1, 3, 3, 1], "sum", visible=True),
            _case("which comes first", [1, 3, 3, 1], "order"),
            _case("an oblong image", [1, height, width, 1], "order"),
            _case("several channels", [1, 3, 3, draw.randrange(2, 4)], "order"),
            _case("several images", [draw.randrange(4, 6), 3, 3, 1], "order"),
            _case("a single row", [2, 1, 3, 1], "order"),
            _case("a single column", [1, 3, 1, 2], "order"),
            _case(HALVES, [1, 2, 3, 1], "order"),
            _case("everything at once", [2, width, height, 3], "order"),
            _case("many channels", [3, 2, 3, draw.randrange(5, 8)], "order"),
            _case(CHANGED, [1, 3, 2, 1], "order"),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Run the answer with a plain function for attention, and note what groups it was given."""
        groups: list[dict[str, object]] = []

        def attend(tokens: Tensor) -> Tensor:
            seen = plain_tensor(tokens, "axial, for attend,")
            groups.append(seen)
            return _attended(tokens, case["kind"])

        image = _image(case)
        if case.label == CHANGED:
            image.neg_()
            answer(image, attend)
            image.neg_()
            groups.clear()
        found = plain_tensor(answer(image, attend), "axial")
        unchanged(image, _image(case), "axial")
        return {"groups": groups, "result": found}

    def judge(self, case: Case, value: object) -> Verdict:
        """The groups of both layers first, then the result."""
        if not is_record(value, SEEN) or type(value["groups"]) is not list:
            return self.unseen()
        shape, result = list(case["shape"]), value["result"]
        if case.label == CHANGED and not value["groups"]:
            said = ("The same image came in again with other pixels, and attend was not called at all: an answer of "
                    "the first call was kept. Work it out anew in every call.")
            return self.wrong("keeps-state", said)
        if not is_plain_tensor(result) or result["shape"] != shape:
            got = result["shape"] if is_plain_tensor(result) else "no tensor"
            return self.wrong("wrong-shape", f"{_asked(case)}: the result has the shape {got}.")
        if result["dtype"] != _dtype(case):
            said = f"{_asked(case)}: attend gave {_dtype(case)} numbers, and axial returns {result['dtype']}."
            return self.wrong("wrong-dtype", said)
        problem = self._groups_problem(case, value["groups"])
        if problem:
            return problem
        if result["data"] != nested(_axial(case), shape):
            said = f"{_asked(case)}: the groups were right, and the pixels did not find their way back."
            return self.wrong("not-turned-back", said)
        return self.right("Each column by itself, then each row by itself.")

    def _groups_problem(self, case: Case, groups: list[object]) -> Verdict | None:
        batch, height, width, channels = case["shape"]
        first, second, *more = (*groups, None, None)
        if not is_plain_tensor(first) or not is_plain_tensor(second) or len(more) > 2:
            said = f"{_asked(case)}: attend was called {len(groups)} times. Wanted: two calls."
            return self.wrong("not-two-layers", said)
        if _same_groups(first, _columns(case)):
            return self._second(case, second)
        if _same_groups(first, _rows(case, _start(case))):
            return self.wrong("width-first", f"{_asked(case)}: the first layer should look along the height.")
        columns = [batch * width, height, channels]
        if first["shape"] != columns:
            said = f"{_asked(case)}: the first attend got {first['shape']}, wanted {columns}."
            return self.wrong("wrong-groups", said)
        column, mine = _columns(case)[0], first["data"][0]
        said = f"{_asked(case)}: the shape of columns, with other pixels in them. The first column holds" \
               f" {_pixels(column)}, yours {_pixels(mine)}."
        return self.wrong("mixed-axes", said)

    def _second(self, case: Case, group: dict) -> Verdict | None:
        batch, height, width, channels = case["shape"]
        rows = [batch * height, width, channels]
        if group["shape"] != rows:
            said = f"{_asked(case)}: the second attend got {group['shape']}, wanted {rows}."
            return self.wrong("wrong-groups", said)
        if _same_groups(group, _rows(case, _after_height(case))):
            return None
        if _same_groups(group, _rows(case, _start(case))):
            said = f"{_asked(case)}: the second layer got the image, not what the first layer made of it."
            return self.wrong("side-by-side", said)
        said = f"{_asked(case)}: the second layer's groups are not the rows of what the first layer made."
        return self.wrong("mixed-axes", said)


def _case(label: str, shape: list[int], kind: str, visible: bool = False) -> Case:
    return Case(label, {"shape": shape, "kind": kind}, visible)


def _asked(case: Case) -> str:
    return f"Image {case['shape']}"


def _pixels(group: list) -> list[int]:
    return [token[0] for token in group if type(token) is list and token]


def _attended(tokens: Tensor, kind: str) -> Tensor:
    """What attend gives: "sum" gives every token the sum of its group, in "order" its place counts too."""
    if kind == "sum":
        return tokens.sum(1, keepdim=True).expand_as(tokens)
    return (3 * tokens.cumsum(1) + tokens.roll(1, 1) ** 2) % MODULUS


def _attended_plain(group: list[list[int]], kind: str) -> list[list[int]]:
    """The same on plain lists, one group [tokens][channels]."""
    sums = [sum(column) for column in zip(*group, strict=True)]
    if kind == "sum":
        return [sums for _ in group]
    found, running = [], [0] * len(sums)
    for place, token in enumerate(group):
        running = [r + t for r, t in zip(running, token, strict=True)]
        before = group[place - 1]
        found.append([(3 * r + b**2) % MODULUS for r, b in zip(running, before, strict=True)])
    return found


def _dtype(case: Case) -> str:
    return "float64" if case.label == HALVES else "int64"


def _image(case: Case) -> Tensor:
    """The image, as a tensor."""
    numbers = counted(list(case["shape"])) + 1
    return numbers.double() / 2 if case.label == HALVES else numbers


def _start(case: Case) -> list[list[Any]]:
    """The image's pixels in reading order, each a list of channels."""
    batch, height, width, channels = case["shape"]
    pixels = [[n * channels + c + 1 for c in range(channels)] for n in range(batch * height * width)]
    return [[number / 2 for number in pixel] for pixel in pixels] if case.label == HALVES else pixels


def _rows(case: Case, pixels: list[list[int]]) -> Rows:
    """The rows of all images, from pixels in reading order."""
    batch, height, width, _ = case["shape"]
    return [pixels[n * width:(n + 1) * width] for n in range(batch * height)]


def _same_groups(found: dict, wanted: Rows) -> bool:
    """True for the same groups, in whatever order they stand."""
    return len(found["shape"]) == 3 and sorted(found["data"]) == sorted(wanted)


def _columns(case: Case) -> Rows:
    batch, height, width, _ = case["shape"]
    pixels = _start(case)
    return [[pixels[(image * height + row) * width + column] for row in range(height)]
            for image in range(batch) for column in range(width)]


def _after_height(case: Case) -> list[list[int]]:
    """The pixels in reading order after the first layer."""
    batch, height, width, _ = case["shape"]
    columns = [_attended_plain(group, case["kind"]) for group in _columns(case)]
    return [columns[image * width + column][row]
            for image in range(batch) for row in range(height) for column in range(width)]


def _axial(case: Case) -> list[int]:
    """The numbers of the result, in reading order."""
    rows = [_attended_plain(group, case["kind"]) for group in _rows(case, _after_height(case))]
    return [number for row in rows for token in row for number in token]


EXERCISE = HeightThenWidth()
