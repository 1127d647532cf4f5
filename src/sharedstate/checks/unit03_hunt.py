"""Exercise 03.2: derive a seed from (master, unit) so that no two streams meet, in this process or another."""

from __future__ import annotations

import builtins
import random
from types import FunctionType

from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict
from sharedstate.checks.unit03_words import given

WIDE = 2**32


class CollisionHunt(Exercise):
    """The answer is derive(master, unit) -> a seed: int, str, bytes, or numpy's SeedSequence."""

    id = "03.2"
    title = "Collision hunt"
    answer = "derive"
    minutes = 10
    difficulty = 2
    points = 3.0
    expects = "a function"
    seconds = 10.0

    def cases(self, seed: int) -> list[Case]:
        """One master; the square of small numbers; wide masters; many units; twice; another process's hash."""
        draw = random.Random(f"03.2:{seed}")
        near, wide = draw.randrange(40, 60), draw.randrange(3, 2000)
        small = [[master, unit] for master in (*range(24), near, near + 1) for unit in range(24)]
        far = [[wide + k * WIDE, unit] for k in range(4) for unit in range(4)]
        many = [[master, unit] for master in range(3) for unit in (*range(4), *(10**k for k in range(2, 8)), WIDE - 1)]
        return [
            _case("one master, 16 units", "plain", [[near, unit] for unit in range(16)], True),
            _case("small masters and units", "plain", small),
            _case("masters that differ above 32 bits", "plain", far),
            _case("unit numbers with many digits", "plain", many),
            _case("asked again, in another order", "twice", [[near, unit] for unit in (5, 2, 9)]),
            _case("in another process", "hash", [[near, 1], [near, 2]]),
        ]

    def run(self, answer: object, case: Case) -> object:
        """Return the first 128 bits of each pair's stream; for "hash", once for each of two hash functions."""
        pairs = case["pairs"]
        if case["kind"] == "hash":
            functions = [_with_hash(answer, salt) for salt in (1, 2)]
            return [[first_bits(each(*pair)) for pair in pairs] for each in functions]
        if case["kind"] == "twice":
            there = [first_bits(answer(*pair)) for pair in pairs]
            return [there, [first_bits(answer(*pair)) for pair in reversed(pairs)][::-1]]
        return [[first_bits(answer(*pair)) for pair in pairs]]

    def judge(self, case: Case, value: object) -> Verdict:
        """The same in both rows, and different within a row; the message names a pair that meets."""
        rows = 1 if case["kind"] == "plain" else 2
        if type(value) is not list or len(value) != rows or any(not _texts(row, case["pairs"]) for row in value):
            return self.wrong("wrong-shape", "derive() should return a seed for every master and unit.")
        if value[0] != value[-1]:
            if case["kind"] == "hash":
                message = "The seed depends on hash(), which is another function in every process (for texts)."
                return self.wrong("hash-changes", message)
            return self.wrong("not-reproducible", "The same master and unit gave another stream when asked again.")
        seen: dict[str, list[int]] = {}
        meeting = [(seen.setdefault(bits, pair), pair) for pair, bits in zip(case["pairs"], value[0], strict=True)]
        meeting = [(one, two) for one, two in meeting if one != two]
        return self._meet(meeting) if meeting else self.right("No two streams meet, and each is found again.")

    def _meet(self, meeting: list[tuple[list[int], list[int]]]) -> Verdict:
        """Name the first pair that meets, and what all those that meet have in common."""
        reason, why = next(
            ((slug, text) for slug, text, same in MEETINGS if all(same(*a) == same(*b) for a, b in meeting)),
            ("collision", "something was lost on the way"),
        )
        one, two = meeting[0]
        message = f"(master, unit) = {tuple(one)} and {tuple(two)} get the same stream: {why}."
        return self.wrong(reason, message)


MEETINGS = (
    ("same-sum", "they have the same sum", lambda master, unit: master + unit),
    ("same-xor", "they have the same exclusive-or", lambda master, unit: master ^ unit),
    ("same-text", "written one after the other they are the same digits", lambda master, unit: f"{master}{unit}"),
    ("low-bits", "only the low 32 bits of the master are used", lambda master, unit: (master % WIDE, unit)),
)


def first_bits(seed: object) -> str:
    """Return the first 128 bits of the stream of a seed, as text. Raises AnswerProblem for what is no seed."""
    if hasattr(given(seed, "derive()"), "generate_state"):
        return "".join(f"{int(word):08x}" for word in seed.generate_state(4))
    if isinstance(seed, (int, str, bytes)) and not isinstance(seed, bool):
        return f"{random.Random(seed).getrandbits(128):032x}"
    raise AnswerProblem("wrong-shape", f"derive() gave a {type(seed).__name__}: return an int, a text or bytes.")


class _Salted(int):
    """A number whose hash is another one, as in another process."""

    salt = 0

    def __hash__(self) -> int:
        return builtins.hash((int(self), "salt", self.salt))


def _with_hash(function: object, salt: int) -> object:
    """Return the function as it would be in a process with another hash: its own names, and its helpers'."""
    kind = type("Number", (_Salted,), {"salt": salt})

    def other_hash(thing: object) -> int:
        return builtins.hash((builtins.hash(thing), salt))

    def call(master: int, unit: int) -> object:
        return _rebuilt(function, other_hash)(kind(master), kind(unit))

    return call


def _rebuilt(function: object, other_hash: object) -> object:
    """Return a plain function with `hash` exchanged in its module's names; anything else as it is."""
    if not isinstance(function, FunctionType):
        return function
    names = dict(function.__globals__)
    for name, helper in function.__globals__.items():
        if isinstance(helper, FunctionType) and helper.__globals__ is function.__globals__:
            names[name] = _clone(helper, names)
    names["hash"] = other_hash
    return _clone(function, names)


def _clone(function: FunctionType, names: dict[str, object]) -> FunctionType:
    clone = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    clone.__kwdefaults__ = function.__kwdefaults__
    return clone


def _texts(row: object, pairs: list) -> bool:
    return type(row) is list and len(row) == len(pairs) and all(type(bits) is str for bits in row)


def _case(label: str, kind: str, pairs: list, visible: bool = False) -> Case:
    return Case(label, {"kind": kind, "pairs": pairs}, visible)
