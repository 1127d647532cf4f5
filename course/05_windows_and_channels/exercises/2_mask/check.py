"""Exercise 05.2: the region mask of a shifted window layer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sharedstate.checks.tensors import is_plain_tensor, plain_tensor
from sharedstate.checks.types import Case, Exercise, Verdict

Place = tuple[int, int]


class RegionMask(Exercise):
    """The answer is region_mask(height, width, size, shift) -> [windows, size², size²], True = may look."""

    id = "05.2"
    title = "The screens that everybody forgets"
    answer = "region_mask"
    minutes = 10
    difficulty = 3
    points = 3.0
    expects = "a function"

    def cases(self, seed: int) -> list[Case]:
        """The lesson's image; then another shift, no shift, oblong images, three windows a side."""
        draw = self.draw(seed)
        shift = draw.choice((1, 3))
        return [
            _case("the lesson's image", 8, 8, 4, 2, visible=True),
            _case("a shift that is not half", 8, 8, 4, shift),
            _case("no shift", 8, 8, 4, 0),
            _case("a wide image", 6, 9, 3, draw.choice((1, 2))),
            _case("a high image", 4 * draw.choice((2, 3)), 4, 2, 1),
            _case("twelve pixels a side", 12, 12, 2, 1),
            _case("one window", 4, 4, 4, 2),
            _case("one window along the height", 4, 8, 4, draw.choice((1, 2, 3))),
            _case("one window along the width", 9, 3, 3, draw.choice((1, 2))),
            _case("a single window of three, shifted by one", 3, 3, 3, 1),
            _case("one window, not shifted", 4, 4, 4, 0),
            _case("fifteen windows", 20, 12, 4, draw.choice((1, 2, 3))),
            _case("three windows a side", 9, 9, 3, draw.choice((1, 2))),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Ask for the mask of this image."""
        sizes = (case["height"], case["width"], case["size"], case["shift"])
        return plain_tensor(answer(*sizes), "region_mask")

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare pair by pair with the floor plan, and name the first pair that is wrong."""
        tokens = case["size"] ** 2
        shape = [case["height"] * case["width"] // tokens, tokens, tokens]
        if not is_plain_tensor(value) or value["shape"] != shape:
            got = value["shape"] if is_plain_tensor(value) else "no tensor"
            return self.wrong("wrong-shape", f"{_asked(case)}: the mask should be {shape}, it is {got}.")
        if value["dtype"] != "bool":
            said = f"The mask should be boolean, True = may look; it holds {value['dtype']} numbers."
            return self.wrong("not-boolean", said)
        leaks, lost = _differences(case, value["data"])
        if not leaks and not lost:
            return self.right("Clean: no pair across the image, and no neighbour blocked.")
        return self._told(case, leaks, lost, value["data"])

    def _told(self, case: Case, leaks: list[tuple[Place, Place]], lost: list[tuple[Place, Place]],
              data: list) -> Verdict:
        if _upside_down(case, data):
            return self.wrong("upside-down", "True and False are exchanged: True = may look.")
        counts = f"{_asked(case)}: {len(leaks)} leaks, {len(lost)} lost."
        if leaks and lost:
            a, b = leaks[0]
            c, d = lost[0]
            said = f"{counts} {a} sees {b} across the image, and {c} no longer sees its neighbour {d}."
            return self.wrong("wrong-regions", said)
        if leaks:
            a, b = leaks[0]
            if len(leaks) == _all_pairs(case):
                return self.wrong("no-mask", f"{counts} Nothing is blocked: {a} sees {b} across the image.")
            return self.wrong("leak", f"{counts} {a} sees {b} across the image.")
        c, d = lost[0]
        return self.wrong("lost", f"{counts} {c} no longer sees {d}, its neighbour in one room.")


def _case(label: str, height: int, width: int, size: int, shift: int, visible: bool = False) -> Case:
    return Case(label, {"height": height, "width": width, "size": size, "shift": shift}, visible)


def _asked(case: Case) -> str:
    return f"Image {case['height']} x {case['width']}, window {case['size']}, shift {case['shift']}"


def _pairs(case: Case) -> Iterator[tuple[int, int, int, Place, Place]]:
    """Yield (window, i, j, place of i, place of j): all pairs of a rolled window, with their true places."""
    size = case["size"]
    columns = case["width"] // size
    for window in range(case["height"] * case["width"] // size**2):
        top, left = window // columns * size, window % columns * size
        places = [_origin(case, top + n // size, left + n % size) for n in range(size**2)]
        for i, one in enumerate(places):
            for j, other in enumerate(places):
                yield window, i, j, one, other


def _origin(case: Case, row: int, column: int) -> Place:
    """Return where a pixel of the rolled image stood before."""
    return (row + case["shift"]) % case["height"], (column + case["shift"]) % case["width"]


def _wrapped(case: Case, place: Place) -> tuple[bool, bool]:
    """Return for both axes whether the roll took the pixel round the edge."""
    return place[0] < case["shift"], place[1] < case["shift"]


def _may(case: Case, one: Place, other: Place) -> bool:
    """True for neighbours in one room of the moved walls."""
    return _wrapped(case, one) == _wrapped(case, other)


def _differences(case: Case, data: list) -> tuple[list[tuple[Place, Place]], list[tuple[Place, Place]]]:
    """Return the pairs that see each other and may not, and those that may and do not."""
    leaks, lost = [], []
    for window, i, j, one, other in _pairs(case):
        may, sees = _may(case, one, other), data[window][i][j]
        if sees and not may:
            leaks.append((one, other))
        if may and not sees:
            lost.append((one, other))
    return leaks, lost


def _upside_down(case: Case, data: list) -> bool:
    return all(_may(case, a, b) is not data[window][i][j] for window, i, j, a, b in _pairs(case))


def _all_pairs(case: Case) -> int:
    return sum(not _may(case, a, b) for _, _, _, a, b in _pairs(case))


EXERCISE = RegionMask()
