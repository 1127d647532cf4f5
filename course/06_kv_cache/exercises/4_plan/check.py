"""Exercise 06.4: a planner that refuses what will not fit, and says what would."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict

GIB = 2**30
VISIBLE, ONE_BYTE, LARGE_BYTE = "it fits", "one byte too small", "a large device, one byte too small"
ODD = "exactly at the limit, on a device whose bytes do not divide by four"
FREE = Fraction(1, 4)
NAMESAKE = ("plan raises a DoesNotFit that is not the one of sharedstate.kvcache, and who waits for that one does not"
            " hear it. Leave yours out: the lab has imported the other.")
UNRAISED = ("plan is asked for more than the device holds: it does not fit, and nothing was raised:"
            " raise DoesNotFit(message, batch, length).")
PARTS = ("layers", "heads", "kv_heads", "head_dim", "bytes")


def needed(shape: dict, tokens: int, heads: str = "kv_heads", twice: int = 2) -> int:
    """Return the bytes of keys and values of so many tokens."""
    return twice * shape["layers"] * shape[heads] * shape["head_dim"] * shape["bytes"] * tokens


def truth(
    case: Case, heads: str = "kv_heads", twice: int = 2, free: Fraction = FREE, batch: int | None = None
) -> list[object]:
    """Return ["fits", bytes of the cache], or ["refused", largest batch, longest]; the defaults are the right rule."""
    batch = max(case["running"]) if batch is None else batch
    one = needed(case["shape"], 1, heads, twice)
    room = max(0, int(case["device"] * (1 - free)) - case["weights"])
    cache = one * case["length"] * batch
    if case["weights"] + cache <= case["device"] * (1 - free):
        return ["fits", cache]
    return ["refused", room // (one * case["length"]), room // (one * max(1, batch))]


class Planner(Exercise):
    """The answer is plan(shape, length, running, weights, device) -> bytes, or DoesNotFit(message, batch, length)."""

    id = "06.4"
    title = "A planner that refuses"
    answer = "plan"
    minutes = 10
    difficulty = 2
    points = 3.0
    expects = "a function"

    def cases(self, seed: int) -> list[Case]:
        """One that fits; grouped heads; the peak in the middle; the very limit; refusals of each kind."""
        draw = self.draw(seed)
        plain = {"layers": 32, "heads": 32, "kv_heads": 32, "head_dim": 128, "bytes": 2}
        grouped = {**plain, "kv_heads": draw.choice((4, 8)), "layers": draw.randrange(20, 40)}
        small = {"layers": 3, "heads": 6, "kv_heads": draw.choice((1, 2, 3)), "head_dim": 10, "bytes": 8}
        odd = {**small, "head_dim": draw.choice((6, 14)), "bytes": 1}
        peak, length = draw.randrange(5, 9), draw.randrange(50, 99)
        day = [*[1] * draw.randrange(15, 20), draw.randrange(8, 12), 1, 2]
        used = needed(small, length * peak)
        weights = (3 * draw.randrange(1000, 2000) - used) % 3 + 3000
        limit = (used + weights) // 3 * 4
        even = needed(small, 28 * length)
        used_by_huge = needed(odd, 3 * 10**20)
        huge = 3 * (10**20 + 2 * draw.randrange(1000) + 1) - used_by_huge % 3
        return [
            _case(VISIBLE, plain, 4096, [2, 3, 4], 13 * GIB, 32 * GIB, visible=True),
            _case("grouped heads", grouped, 4096, [2, 3, 3], 10 * GIB, 24 * GIB),
            _case("the peak is in the middle", small, length, [1, peak, 1], weights, 9 * limit),
            _case("exactly at the limit", small, length, [peak], weights, limit),
            _case(ODD, small, length, [peak, 1], weights + 2, limit + 3),
            _case("too large", plain, 8192, day, 13 * GIB, 40 * GIB),
            _case("too large, grouped", grouped, 2**14, [3, draw.randrange(12, 19), 3], 10 * GIB, 24 * GIB),
            _case("the mean would fit", small, length, [0, 0, 1, peak, 1, 0], weights, limit - 400),
            _case("most of it is weights", small, length, [peak], 6 * used, 9 * used),
            _case(ONE_BYTE, small, length, [1, 1, peak, 1], weights, limit - 1),
            _case("exactly half of it would fit", small, 6 * length, [1, 6], 3 * needed(small, length), even),
            _case("not even one request", small, 100 * length, [3, 2], weights, limit),
            _case("the weights alone are too large", small, length, [1, 2], limit, limit),
            _case("the same in numbers of two bytes", {**small, "bytes": 2}, length, [peak], weights, limit),
            _case("a week, hour by hour", small, length, [*[1] * 150, peak, *[2] * 17], weights, limit - 1),
            _case("nobody runs", small, length, [0, 0], weights, limit),
            _case("one byte a number", odd, length, [1, 3, 2], weights, 2 * limit),
            _case("past what a float holds", {**odd, "layers": 10**9 + 7}, 10**7 + 19, [2, 3], 1, 10**24 + 1),
            _case("a large device, exactly at the limit", odd, 10**20, [2, 3], huge, (used_by_huge + huge) // 3 * 4),
            _case(LARGE_BYTE, odd, 10**20, [2, 3], huge, (used_by_huge + huge) // 3 * 4 - 1),
            _case("past what a float holds, too large", odd, 10**23, [2, 3], 1, 10**24 + 1),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Ask for a plan; a refusal comes back with its numbers."""
        from sharedstate.kvcache.memory import DoesNotFit  # here, since it loads torch

        shape, running = dict(case["shape"]), list(case["running"])
        try:
            found = answer(shape, case["length"], running, case["weights"], case["device"])
        except DoesNotFit as refusal:
            found = ["refused", refusal.batch, refusal.length]
        except Exception as error:
            if type(error).__name__ != DoesNotFit.__name__:
                raise
            raise AnswerProblem("other-exception", NAMESAKE) from None
        else:
            found = ["fits", _size(found, truth(case)[0] == "fits")]
        if shape != case["shape"] or running != case["running"]:
            raise AnswerProblem("changes-its-input", "plan changes what it is given, which belongs to the caller.")
        return found

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare with the truth; where it differs, name the rule that would give what was found."""
        lengths = {"fits": 2, "refused": 3}
        if type(value) is not list or not value or type(value[0]) is not str or len(value) != lengths.get(value[0]):
            return self.unseen()
        if not all(type(number) is int for number in value[1:]):
            said = "Bytes, requests and tokens are whole numbers: use // and no float."
            return self.wrong("not-a-whole-number", said)
        wanted = truth(case)
        if value == wanted:
            return self.right("What fits is planned, what does not is refused with what would.")
        said = f"Case '{case.label}': "
        if case.label in (ONE_BYTE, LARGE_BYTE) and value[0] == "fits":
            return self.wrong("off-by-a-byte", f"{said}a quarter must stay free, exactly, and is not.")
        for reason, words, rule in self._rules(case):
            if value == rule and rule != wanted:
                return self.wrong(reason, said + words)
        if case.label == ODD and value[0] != wanted[0]:
            words = "multiply by 3 first and divide by 4 then, or the rest of the division is lost."
            return self.wrong("divides-first", f"{said}it fits, and is refused: {words}")
        if value[0] != wanted[0]:
            reason = "refuses-what-fits" if wanted[0] == "fits" else "takes-what-does-not-fit"
            return self.wrong(reason, f"{said}{_words(value)}; right is: {_words(wanted)}.")
        if value[0] == "refused" and any(number < 0 for number in value[1:]):
            return self.wrong("negative", f"{said}it advises {value[1:]}: where nothing fits, say 0.")
        reason = "wrong-size" if value[0] == "fits" else "wrong-advice"
        return self.wrong(reason, f"{said}{_words(value)}; right is: {_words(wanted)}.")

    def _rules(self, case: Case) -> tuple[tuple[str, str, object], ...]:
        running = case["running"]
        mean = sum(running) // len(running)
        return (
            *((("invents-a-request", "nobody runs, and nothing is cached.", truth(case, batch=1)),) * (not any(running))),
            ("query-heads", "it counts query heads. Keys and values have kv_heads of them.", truth(case, "heads")),
            ("one-of-two", "it counts the keys and forgets the values.", truth(case, twice=1)),
            ("no-headroom", "a quarter of the device must stay free.", truth(case, free=Fraction(0))),
            ("not-the-peak", "it plans for the mean. Plan for the fullest hour.", truth(case, batch=mean)),
            ("not-the-peak", "it plans for the mean. Plan for the fullest hour.", truth(case, batch=mean + 1)),
            ("not-the-peak", "it plans for the last hour. Plan for the fullest.", truth(case, batch=running[-1])),
            ("not-the-peak", "it plans for the first hour. Plan for the fullest.", truth(case, batch=running[0])),
            ("not-the-peak", "it adds up all hours. Plan for the fullest.", truth(case, batch=sum(running))),
        )


def _size(found: object, fits: bool) -> object:
    """Return the number that plan returned; AnswerProblem for what is none, in other words where nothing fits."""
    if isinstance(found, BaseException):
        raise AnswerProblem("returns-the-refusal", "plan returns its refusal. Write `raise DoesNotFit(…)`, not return.")
    if not fits and type(found) not in (int, float):
        raise AnswerProblem("raises-nothing", UNRAISED)
    if found is None:
        raise AnswerProblem("untouched", "plan returns nothing yet.")
    if type(found) not in (int, float, bool):
        said = f"plan should return one int, the bytes of the cache; it returned {type(found).__name__}."
        raise AnswerProblem("wrong-shape", said)
    return found


def _words(value: list) -> str:
    if value[0] == "fits":
        return f"fits, {value[1]:,} bytes of cache"
    return f"refused, {value[1]:,} requests of this length or {value[2]:,} tokens in each would fit"


def _case(
    label: str, shape: dict, length: int, running: list[int], weights: int, device: int, visible: bool = False
) -> Case:
    inputs = {"shape": {name: shape[name] for name in PARTS}, "length": length, "running": running, "weights": weights}
    return Case(label, {**inputs, "device": device}, visible)


EXERCISE = Planner()
