"""Exercise 08.5: hit rate, fragmentation, tokens saved."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import PlainFunction, SlipTable

NEAR = 1e-9
NAMES = ("the hit rate", "the fragmentation", "the tokens saved")


def right_monitors(tables: list, block_size: int, prompts: list) -> list[float]:
    """Return what the answer should."""
    holds: dict[int, int] = {}
    named = 0
    for blocks, length in tables:
        for index, block in enumerate(blocks):
            holds[block] = max(holds.get(block, 0), min(block_size, length - index * block_size))
            named += 1
    places, asked = len(holds) * block_size, sum(prompt[0] for prompt in prompts)
    return [
        sum(prompt[1] for prompt in prompts) / asked if asked else 0,
        (places - sum(holds.values())) / places if places else 0,
        (named - len(holds)) * block_size,
    ]


class Monitors(PlainFunction, SlipTable):
    """The answer is monitors(tables, block_size, prompts) -> (hit rate, fragmentation, saved)."""

    id = "08.5"
    title = "The monitors"
    answer = "monitors"
    minutes = 8
    difficulty = 2
    points = 2.0
    given = ("tables", "block_size", "prompts")
    slips = MappingProxyType({
        "one table": ("wrong-sum", "one table, one prompt."),
        "a long and a short prompt": ("by-requests", "a prompt of 1,000 tokens weighs more than one of 10: count "
                                                     "tokens."),
        "two tables share": ("shared-twice", "a shared block is one block, whoever names it."),
        "a fork that has gone on": ("last-table-wins", "a shared block holds what the longest of its tables has in "
                                                       "it."),
        "blocks in reserve": ("reserve", "a block without a token holds 0, neither more nor less."),
        "three share": ("saves-wrong", "k tables that name a block save (k - 1) blocks of tokens."),
        "nobody has come": ("wrong-sum", "nothing asked, no block in use: 0 each."),
        "nobody has asked": ("wrong-sum", "no prompt was counted, and the tables stand all the same."),
        "everybody has gone": ("wrong-sum", "no block is in use, and prompts were counted all the same."),
        "a long table": ("wrong-sum", "forty blocks, five prompts."),
        "a house in use": ("wrong-sum", "all of it at once."),
    })

    def cases(self, seed: int) -> list[Case]:
        """The lab's example, then one for each slip."""
        draw = self.draw(seed)
        size = draw.randrange(2, 7)
        lengths = [draw.randrange(2 * size + 1, 3 * size + 1) for _ in range(3)]
        tables = [[[1, 2, 3 + n], length] for n, length in enumerate(lengths)]
        prompts = [[length, 2 * size * (n > 0)] for n, length in enumerate(lengths)]
        return [
            _case("one table", [[[3, 5], 6]], 4, [[8, 4]], visible=True),
            _case("a long and a short prompt", [[[3], 4]], 4, [[1000, 900], [10, 0]]),
            _case("two tables share", [[[1, 2, 3], 10], [[1, 2, 4], 9]], 4, [[10, 0], [9, 8]]),
            _case("two tables share", [[[1, 2], 6], [[1, 2], 6]], 4, [[6, 0], [6, 4]]),
            _case("blocks in reserve", [[[1, 2, 3], 4]], 4, [[4, 0]]),
            _case("a fork that has gone on", [[[1, 2], 8], [[1, 2], 5]], 4, [[8, 4]]),
            _case("a fork that has gone on", [[[1, 2], 5], [[1, 2], 8]], 4, [[8, 4]]),
            _case("three share", [[[1, 2], 6], [[1, 3], 7], [[1, 4], 8]], 4, [[6, 0], [7, 4], [8, 4]]),
            _case("nobody has come", [], 4, []),
            _case("nobody has asked", [[[1, 2], 6], [[1, 3], 7]], 4, []),
            _case("everybody has gone", [], 4, [[6, 4], [9, 0]]),
            _case("a long table", [[[*range(1, 41)], 158]], 4, [[158, 0], [10, 0], [9, 8], [7, 0], [5, 4]]),
            _case("a house in use", tables, size, prompts),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Call it; tables and prompts come as tuples."""
        tables = [(list(blocks), length) for blocks, length in case["tables"]]
        prompts = [tuple(prompt) for prompt in case["prompts"]]
        found = self.called(answer, case, tables=tables, prompts=prompts)
        if not isinstance(found, (list, tuple)) or len(found) != 3:
            raise AnswerProblem("wrong-shape", "monitors should return a tuple of three numbers.")
        return [*found]

    def judge(self, case: Case, value: object) -> Verdict:
        """Number by number."""
        if type(value) is not list or len(value) != 3 or any(type(number) not in (int, float) for number in value):
            return self.wrong("wrong-shape", "monitors should return a tuple of three numbers.")
        wanted = right_monitors(case["tables"], case["block_size"], case["prompts"])
        for name, number, right in zip(NAMES, value, wanted, strict=True):
            if not abs(number - right) <= NEAR:
                if name != "the fragmentation":
                    reason = "by-requests" if name == "the hit rate" else "saves-wrong"
                    said = "Count tokens, not requests." if name == "the hit rate" else "A block that k tables name " \
                        "saves (k - 1) times its tokens."
                    return self.wrong(reason, f"Case '{case.label}': {name} is {number:.4g}, not {right:.4g}. {said}")
                return self.slip(case, before=f"Case '{case.label}': {name} is {number:.4g}, not {right:.4g}: ")
        return self.right("Tokens, not requests; blocks, not tables.")


def _case(label: str, tables: list, size: int, prompts: list, visible: bool = False) -> Case:
    return Case(label, {"tables": tables, "block_size": size, "prompts": prompts}, visible)


EXERCISE = Monitors()
