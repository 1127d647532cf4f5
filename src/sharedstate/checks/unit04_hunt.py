"""Exercise 04.3: a leak test that finds every planted mask and accuses no right one."""

from __future__ import annotations

import random
from types import MappingProxyType

from sharedstate.checks.types import Case, Exercise, Verdict
from sharedstate.checks.unit04_planted import RIGHT, WRONG, planted

SHOWN = ("missing", "filled")
REASONS = MappingProxyType({
    "missing": "misses-a-plain-leak",
    "off by one": "misses-a-plain-leak",
    "far future": "misses-the-far-future",
    "after softmax": "misses-the-denominator",
    "finite": "misses-finite-fills",
    "additive": "misses-finite-fills",
    "without self": "misses-what-is-lost",
    "short window": "misses-what-is-lost",
    "top left": "misses-other-shapes",
})


class FindPlantedMasks(Exercise):
    """The answer is is_wrong(attend) -> bool; attend(q [Q, D], k [K, D], v [K, D]) -> [Q, D]."""

    id = "04.3"
    title = "Find eight planted masks"
    answer = "is_wrong"
    minutes = 14
    difficulty = 3
    points = 3.0
    expects = "a function"
    seconds = 20.0

    def cases(self, seed: int) -> list[Case]:
        """The two of the lab's example, the other right ones in any order, then the eight planted."""
        draw = random.Random(f"04.3:{seed}")
        right = [name for name in RIGHT if name not in SHOWN]
        wrong = [name for name in WRONG if name not in SHOWN]
        names = [*SHOWN, *draw.sample(right, len(right)), *wrong]
        cases = [Case(name, {"mask": name}, visible=name in SHOWN) for name in names]
        again = draw.choice(right)      # at an unknown place, so that counting the calls tells nothing
        cases.insert(draw.randrange(len(names) - len(wrong) + 1, len(names)), Case(f"{again}, again", {"mask": again}))
        return cases

    def run(self, answer: object, case: Case) -> object:
        """Hand the head with this mask to the test; what comes back is the test's word."""
        return answer(planted(case["mask"]))

    def judge(self, case: Case, value: object) -> Verdict:
        """A miss is told by what was planted, a false alarm by what was accused."""
        name = case["mask"]
        if type(value) is not bool:
            return self.wrong("not-a-bool", f"is_wrong returned {str(value)[:60]}, not True or False.")
        if name in RIGHT and value:
            message = (
                f"Your test accuses a right head, one that {RIGHT[name]}. Which answers may change when "
                "a key of the past moves? And are all your numbers finite?"
            )
            return self.wrong("accuses-the-innocent", message)
        if name in WRONG and not value:
            return self.wrong(REASONS[name], f"Your test passes a head that {WRONG[name]}.")
        return self.right("Eight planted, eight found, and nobody accused for nothing.")
