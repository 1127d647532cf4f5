"""Exercise 09.7: where the knee is, and what is full after it."""

from __future__ import annotations

import statistics
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import PlainFunction, SlipTable

MORE, BUSY = 1.1, 0.9  # what counts as more throughput, and as a batch that is full of requests
WORDS = ("blocks", "load", "machine", "not reached")
Row = tuple[int, float, float, int]


class ReadTheKnee(PlainFunction, SlipTable):
    """The answer is read_knee(rows, num_blocks) -> (batch size, word)."""

    id = "09.7"
    title = "Read the knee"
    answer = "read_knee"
    minutes = 8
    difficulty = 2
    points = 2.0
    given = ("rows", "num_blocks")
    slips = MappingProxyType({
        "levels off": ("wrong-knee", "the smallest size is the knee that no larger one betters by more than a tenth."),
        "a plateau": ("the-maximum", "after the knee the throughput goes on growing by a percent or two: the largest "
                                     "number is not the knee."),
        "in any order": ("takes-the-order", "the rows come in any order. Sort the sizes."),
        "an outlier": ("no-median", "one measurement of a size is far off. The median does not mind."),
        "an even number": ("no-median", "the median of an even number of measurements is the mean of the two in the "
                                        "middle."),
        "a dent": ("stops-at-a-dent", "one larger size gives no more, and the one after it does. Compare with all "
                                      "larger ones."),
        "little by little": ("neighbours-only", "each size betters the one before it by less than a tenth, and the "
                                                "last one betters the first by far more."),
        "it falls again": ("wrong-knee", "after the knee it may fall. The knee stays where it is."),
        "still growing": ("not-reached", "the largest size that was measured still gives more: it is not reached."),
        "one size": ("not-reached", "nothing larger was measured: the knee is not reached."),
        "blocks run out": ("misses-the-blocks", "at the next larger size all blocks were in use."),
        "blocks, and so fewer run": ("misses-the-blocks", "all blocks were in use, and therefore fewer requests ran: "
                                                          "ask for the blocks first."),
        "the most blocks": ("misses-the-blocks", "of several measurements of a size, the most blocks count."),
        "blocks run out later": ("wrong-size", "at the next larger size blocks were left. That they run out at a much "
                                               "larger one explains nothing here."),
        "too few requests": ("misses-the-load", "fewer requests ran than nine tenths of the places: too few came."),
        "few run further on": ("wrong-size", "what is full is read at the next larger size, not at the largest one and "
                                             "not at the knee."),
        "almost full": ("misses-the-load", "nine tenths of the places are enough to call the batch full."),
        "odd sizes": ("takes-the-order", "sizes need not be powers of two, and the next larger one is the next that "
                                         "was measured."),
        "a long day": ("wrong-knee", "all of it at once."),
    })

    def cases(self, seed: int) -> list[Case]:
        """The lab's example, then one case for each slip."""
        draw = self.draw(seed)
        grown = [(1, 100.0, 1, 4), (2, 190.0, 2, 8), (4, 350.0, 4, 16), (8, 500.0, 8, 32), (16, 520.0, 15.8, 62)]
        day = [(size, rate * (1 + draw.uniform(-0.02, 0.02)), running, blocks) for size, rate, running, blocks in
               [*grown, (32, 525.0, 31.0, 120)] for _ in range(3)]
        draw.shuffle(day)
        return [
            _case("levels off", 64, [(1, 100, 1, 4), (2, 190, 2, 8), (4, 200, 4, 16)], visible=True),
            _case("levels off", 999, grown),
            _case("a plateau", 999, [*grown, (32, 530.0, 31.5, 130), (64, 541.0, 63.0, 250)]),
            _case("in any order", 999, [grown[3], grown[0], grown[4], grown[2], grown[1]]),
            _case("still growing", 999, [(1, 100, 1, 4), (2, 190, 2, 8), (4, 350, 4, 16)]),
            _case("still growing", 16, [(1, 100, 1, 4), (2, 190, 2, 8), (4, 350, 3.9, 16)]),
            _case("an outlier", 999, [*grown, (4, 351.0, 4, 16), (4, 3500.0, 4, 16), (16, 521.0, 15.8, 62),
                                      (8, 20.0, 8, 32), (8, 501.0, 8, 32), (16, 5.0, 15.8, 62)]),
            _case("an outlier", 999, [(1, 100, 1, 4), (2, 200, 2, 8), (2, 202, 2, 8), (2, 90, 2, 8), (4, 201, 4, 16),
                                      (4, 203, 0.1, 16), (4, 204, 4, 16)]),
            _case("an even number", 999, [(1, 100, 1, 4), (1, 200, 1, 4), (2, 160, 2, 8), (2, 162, 2, 8)]),
            _case("an even number", 999, [(1, 100, 1, 4), (1, 200, 1, 4), (2, 168, 2, 8), (2, 168, 2, 8)]),
            _case("a dent", 999, [(1, 100, 1, 4), (2, 105, 2, 8), (4, 300, 4, 16), (8, 310, 8, 32)]),
            _case("a dent", 999, [(1, 100, 1, 4), (2, 190, 2, 8), (4, 150, 4, 16), (8, 400, 8, 32), (16, 390, 16, 64)]),
            _case("little by little", 999, [(n, 100 * 1.07**n, n, 4 * n) for n in range(1, 9)]),
            _case("it falls again", 999, [(1, 100, 1, 4), (2, 190, 2, 8), (4, 150, 4, 16), (8, 90, 8, 32)]),
            _case("one size", 99, [(8, 100, 8, 32), (8, 105, 8, 32)]),
            _case("blocks run out", 24, [(1, 100, 1, 4), (2, 190, 2, 8), (4, 350, 4, 16), (8, 360, 7.9, 24)]),
            _case("blocks, and so fewer run", 24, [(2, 190, 2, 8), (4, 350, 4, 16), (8, 360, 5.5, 24),
                                                   (16, 361, 5.5, 24)]),
            _case("the most blocks", 24, [(4, 350, 4, 16), (8, 360, 8, 22), (8, 361, 8, 24), (8, 359, 8, 23)]),
            _case("blocks run out later", 64, [(4, 350, 4, 16), (8, 360, 8, 32), (16, 362, 15.9, 64)]),
            _case("blocks run out later", 999, [(4, 350, 4, 998), (8, 360, 8, 998), (16, 362, 15.9, 999)]),
            _case("too few requests", 999, [(4, 350, 4, 16), (8, 360, 4.4, 18), (16, 361, 4.4, 18)]),
            _case("few run further on", 999, [(4, 350, 4, 16), (8, 360, 8, 32), (16, 361, 9.0, 36)]),
            _case("few run further on", 999, [(4, 350, 2.9, 12), (8, 360, 7.8, 31)]),
            _case("almost full", 999, [(10, 350, 10, 40), (20, 360, 18.6, 77)]),
            _case("almost full", 999, [(10, 350, 10, 40), (20, 360, 17.2, 77)]),
            _case("an outlier", 999, [(4, 350, 4, 16), (8, 360, 4.0, 16), (8, 361, 8.0, 32), (8, 362, 4.2, 17)]),
            _case("odd sizes", 999, [(100, 905, 98, 400), (3, 300, 3, 12), (20, 900, 20, 80), (21, 902, 9, 80)]),
            _case("odd sizes", 999, [(10, 350, 10, 40), (15, 355, 8, 32), (20, 360, 19.9, 80)]),
            _case("a long day", 999, day),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Call it; rows come as tuples."""
        found = self.called(answer, case, rows=[tuple(row) for row in case["rows"]])
        if not isinstance(found, (list, tuple)) or len(found) != 2:
            raise AnswerProblem("wrong-shape", "read_knee should return a tuple: a batch size and a word.")
        return list(found)

    def judge(self, case: Case, value: object) -> Verdict:
        """The knee first, then the word."""
        if type(value) is not list or len(value) != 2 or type(value[0]) is not int or value[1] not in WORDS:
            return self.wrong("wrong-shape", f"read_knee should return a batch size and one of {', '.join(WORDS)}, not "
                                             f"{value!r}.")
        wanted = right_knee(case["rows"], case["num_blocks"])
        if value == wanted:
            return self.right("You can say where the knee is, and what is full after it.")
        said = f"Case '{case.label}': {tuple(value)}, not {tuple(wanted)}: "
        return self.slip(case, before=said)


def right_knee(rows: list[Row], num_blocks: int) -> list[object]:
    """Return what the answer should."""
    sizes = sorted({row[0] for row in rows})
    rate = {size: statistics.median(row[1] for row in rows if row[0] == size) for size in sizes}
    knee = next(size for size in sizes if all(rate[other] <= MORE * rate[size] for other in sizes if other > size))
    if knee == sizes[-1]:
        return [knee, "not reached"]
    after = [row for row in rows if row[0] == sizes[sizes.index(knee) + 1]]
    if max(row[3] for row in after) >= num_blocks:
        return [knee, "blocks"]
    ran = statistics.median(row[2] for row in after)
    return [knee, "load" if ran < BUSY * after[0][0] else "machine"]


def _case(label: str, num_blocks: int, rows: list, visible: bool = False) -> Case:
    return Case(label, {"rows": [list(row) for row in rows], "num_blocks": num_blocks}, visible)


EXERCISE = ReadTheKnee()
