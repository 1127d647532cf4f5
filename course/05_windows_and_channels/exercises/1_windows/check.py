"""Exercise 05.1: cut an image into windows, and join them again."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sharedstate.checks.tensors import counted, flat, is_plain_tensor, plain_tensor, unchanged
from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict, is_record
from sharedstate.checks.values import require_pair

if TYPE_CHECKING:
    from torch import Tensor

UNEVEN = (
    "a window that does not fit the width", "a window that does not fit the height",
    "a window that fits the area alone", "a window larger than the image",
)
HALVES = "numbers with a fraction"
FIRST = 2**40 + 1  # the first number to join: too large for a float32
VISIBLE = "a square image"
SEEN = frozenset({"parts", "joined", "error"})


class CutAndJoin(Exercise):
    """The answer is the pair (partition, join) of the lab."""

    id = "05.1"
    title = "Cut and join"
    answer = "windows"
    minutes = 8
    difficulty = 1
    points = 2.0
    expects = "a pair of functions"

    def cases(self, seed: int) -> list[Case]:
        """A square image of one channel; then one axis at a time that a hard-wired answer would miss."""
        draw = self.draw(seed)
        size = draw.choice((2, 3))
        return [
            _case(VISIBLE, [1, 4, 4, 1], 2, visible=True),
            _case("another window", [1, 6, 6, 1], 3),
            _case("a wide image", [1, size, 3 * size, 1], size),
            _case("a high image", [1, 4 * size, 2 * size, 1], size),
            _case("several channels", [1, 4, 4, draw.randrange(2, 5)], 2),
            _case("several images", [draw.randrange(4, 6), 2 * size, 2 * size, 2], size),
            _case("one column of windows", [1, 4 * size, size, 1], size),
            _case("one window", [1, size, size, 1], size),
            _case("windows of one pixel", [2, 2, 3, 1], 1),
            _case(HALVES, [1, 2, 4, 2], 2),
            _case(UNEVEN[0], [1, 2 * size, 2 * size + 1, 1], size),
            _case(UNEVEN[1], [1, 3 * size - 1, 2 * size, 1], size),
            _case(UNEVEN[2], [1, size**2, 2, 1] if size == 3 else [1, 4, 3, 1], size),
            _case(UNEVEN[3], [1, size, size, 1], 2 * size),
            _case("everything at once", [2, 2 * size, 3 * size, 3], size),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Cut an image whose numbers are their places; join windows that are known to be right."""
        require_pair(answer, "`windows` should be the pair (partition, join).")
        partition, join = answer
        _, height, width, _ = shape = list(case["shape"])
        image = _numbered(case, shape, 0)
        try:
            cut = partition(image, case["size"])
            if cut is None:
                raise AnswerProblem("untouched", "partition returns nothing yet.")
            parts = plain_tensor(cut, "partition")
        except ValueError as error:
            unchanged(image, _numbered(case, shape, 0), "partition")
            return {"parts": None, "joined": None, "error": f"ValueError: {error}"[:200]}
        unchanged(image, _numbered(case, shape, 0), "partition")
        joined = None
        if case.label not in UNEVEN:
            right = _numbered(case, [_count(case), case["size"] ** 2, shape[3]], FIRST)
            joined = plain_tensor(join(right, case["size"], height, width), "join")
            unchanged(right, _numbered(case, list(right.shape), FIRST), "join")
        return {"parts": parts, "joined": joined, "error": None}

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare both with the places that the pixels must have."""
        if not is_record(value, SEEN):
            return self.unseen()
        if case.label in UNEVEN:
            return self._uneven(case, value)
        if value["error"] is not None:
            said = f"{_asked(case)}: it fits, and partition raised {str(value['error'])[:200]}."
            return self.wrong("refuses-what-fits", said)
        return self._parts(case, value["parts"]) or self._joined(case, value["joined"]) or self.right(
            "Every pixel is in its window, and finds its way back.")

    def _uneven(self, case: Case, value: dict) -> Verdict:
        if type(value["error"]) is str and value["error"].startswith("ValueError"):
            return self.right()
        said = f"{_asked(case)}: the window does not fit. Raise ValueError, before pixels are lost or mixed."
        return self.wrong("takes-what-does-not-fit", said)

    def _parts(self, case: Case, found: Any) -> Verdict | None:
        shape = [_count(case), case["size"] ** 2, case["shape"][3]]
        problem = self._shape_problem(case, found, shape, "partition")
        if problem:
            return problem
        truth = _cut(case)
        numbers = [number * _unit(case) for number in flat(found["data"])]
        return None if numbers == truth else self._misplaced(case, numbers, truth)

    def _misplaced(self, case: Case, found: list[Any], truth: list[int]) -> Verdict:
        if sorted(map(repr, found)) != sorted(map(repr, truth)):
            return self.wrong("lost-pixels", f"{_asked(case)}: some numbers are missing, others come twice.")
        channels = case["shape"][3]
        tokens = [found[i:i + channels] for i in range(0, len(found), channels)]
        if any(token != [token[0] + c for c in range(channels)] for token in tokens):
            return self.wrong("mixed-channels", f"{_asked(case)}: a token holds channels of several pixels.")
        step = case["size"] ** 2 * channels
        rooms = [set(truth[i:i + step]) for i in range(0, len(truth), step)]
        mine = [set(found[i:i + step]) for i in range(0, len(found), step)]
        if all(room in rooms for room in mine):
            said = f"{_asked(case)}: the right pixels share a window, but in another order: read row by row."
            return self.wrong("wrong-order", said)
        odd = next(room for room in mine if room not in rooms)
        a, b = min(odd), next((n for n in sorted(odd) if not _together(rooms, min(odd), n)), max(odd))
        said = f"{_asked(case)}: {_place(case, a)} and {_place(case, b)} share a window, and should not."
        return self.wrong("wrong-neighbours", said)

    def _joined(self, case: Case, found: Any) -> Verdict | None:
        problem = self._shape_problem(case, found, list(case["shape"]), "join")
        if problem:
            return problem
        back = [0] * math.prod(case["shape"])
        for place, pixel in enumerate(_cut(case)):
            back[pixel] = place
        if [number * _unit(case) - FIRST for number in flat(found["data"])] == back:
            return None
        said = f"{_asked(case)}: join does not put the pixels back where partition took them from."
        return self.wrong("not-the-inverse", said)

    def _shape_problem(self, case: Case, found: object, shape: list[int], what: str) -> Verdict | None:
        if is_plain_tensor(found) and found["shape"] == shape:
            dtype = "float64" if case.label == HALVES else "int64"
            if found["dtype"] == dtype:
                return None
            said = f"{what} makes {found['dtype']} numbers of {dtype} ones. Pixels move, they do not change."
            return self.wrong("wrong-dtype", said)
        got = found["shape"] if is_plain_tensor(found) else "no tensor"
        return self.wrong("wrong-shape", f"{_asked(case)}: {what} gave {got}, wanted {shape}.")


def _case(label: str, shape: list[int], size: int, visible: bool = False) -> Case:
    return Case(label, {"shape": shape, "size": size}, visible)


def _unit(case: Case) -> int:
    """By how much a number is smaller than its count."""
    return 2 if case.label == HALVES else 1


def _numbered(case: Case, shape: list[int], first: int) -> Tensor:
    """Return a tensor whose numbers, times the unit, count from the first one."""
    numbers = counted(shape) + first
    return numbers.double() / _unit(case) if case.label == HALVES else numbers


def _asked(case: Case) -> str:
    return f"Image {case['shape']}, window {case['size']}"


def _count(case: Case) -> int:
    batch, height, width, _ = case["shape"]
    return batch * (height // case["size"]) * (width // case["size"])


def _cut(case: Case) -> list[int]:
    """Return the numbers of the image in the order of the windows."""
    batch, height, width, channels = case["shape"]
    size, found = case["size"], list[int]()
    for image in range(batch):
        for top in range(0, height, size):
            for left in range(0, width, size):
                for row in range(top, top + size):
                    start = ((image * height + row) * width + left) * channels
                    found += range(start, start + size * channels)
    return found


def _together(rooms: list[set[int]], a: int, b: int) -> bool:
    return any(a in room and b in room for room in rooms)


def _place(case: Case, number: int) -> str:
    _, height, width, channels = case["shape"]
    pixel = number // channels
    return f"pixel ({pixel // width % height}, {pixel % width}) of image {pixel // (height * width)}"


EXERCISE = CutAndJoin()
