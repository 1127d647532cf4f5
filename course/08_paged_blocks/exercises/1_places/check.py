"""Exercise 08.1: block tables and places."""

from __future__ import annotations

from types import MappingProxyType

from sharedstate.checks.types import Case, Verdict
from sharedstate.checks.values import PlainFunction, SlipTable

NO_PLACE = -1


def right_places(block_table: list[int], start: int, count: int, block_size: int) -> list[int]:
    """Return what the answer should."""
    entries = [*block_table, *[0] * (start + count)]
    found = []
    for position in range(start, start + count):
        block = entries[position // block_size]
        found.append(NO_PLACE if block == 0 else block * block_size + position % block_size)
    return found


class Places(PlainFunction, SlipTable):
    """The answer is places(block_table, start, count, block_size) -> list of numbers."""

    id = "08.1"
    title = "Where does it lie?"
    answer = "places"
    minutes = 8
    difficulty = 1
    points = 2.0
    given = ("block_table", "start", "count", "block_size")
    slips = MappingProxyType({
        "over the edge of a block": ("one-block", "the positions go from one block into the next."),
        "from the middle": ("ignores-start", "the first position is `start`, and it may lie in any block."),
        "blocks of one": ("fixed-size", "blocks may have any size, also 1."),
        "behind the table": ("behind-the-end", "a position behind the table has no place: -1, not another's block."),
        "a null block": ("writes-to-null", "block 0 is nobody's: its positions have no place, -1."),
        "none at all": ("wrong-shape", "no token, no place: an empty list."),
        "a long table": ("wrong-place", "each position has its own block and its own place in it."),
    })

    def cases(self, seed: int) -> list[Case]:
        """The lab's example, then one case for each slip."""
        draw = self.draw(seed)
        size = draw.randrange(2, 6)
        table = draw.sample(range(1, 60), 9)
        return [
            _case("over the edge of a block", [3, 1], 2, 4, 4, visible=True),
            _case("over the edge of a block", [2, 7, 5], 1, 7, 3),
            _case("from the middle", [4, 9, 6], 5, 2, 4),
            _case("blocks of one", [5, 2, 8], 0, 3, 1),
            _case("behind the table", [6, 3], 1, 6, 2),
            _case("behind the table", [], 0, 2, 4),
            _case("a null block", [6, 0, 3], 0, 6, 2),
            _case("none at all", [6, 3], 2, 0, 2),
            _case("a long table", [70_000, 131_073], 14, 4, 16),
            _case("a long table", table, draw.randrange(3), 9 * size, size),
        ]

    def judge(self, case: Case, value: object) -> Verdict:
        """Number by number."""
        if type(value) is not list or any(type(number) is not int for number in value):
            return self.wrong("wrong-shape", "places should return a list of whole numbers.")
        wanted = right_places(*(case[name] for name in self.given))
        if value == wanted:
            return self.right("Every token has its place.")
        given = ", ".join(f"{case[name]}" for name in self.given)
        return self.slip(case, before=f"places({given}) gives {value[:12]}: ")


def _case(label: str, table: list[int], start: int, count: int, size: int, visible: bool = False) -> Case:
    given = {"block_table": table, "start": start, "count": count, "block_size": size}
    return Case(label, given, visible)


EXERCISE = Places()
