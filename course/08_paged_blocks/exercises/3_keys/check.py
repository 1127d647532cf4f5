"""Exercise 08.3: a key for every full block, chained and tagged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sharedstate.checks.memory import Memory
from sharedstate.checks.process import another_process
from sharedstate.checks.types import AnswerProblem, Case, Verdict, is_record
from sharedstate.checks.values import SlipTable

SEEN = frozenset({"counts", "equal", "repeats", "again"})
PICTURE = 2
CAT, DOG, ALIKE = "cat", "dog", "\xff" * 40
LONG = [1, 2, 3, 4, 5, 6, 7, 8]


def content(prompt: Mapping[str, Any], size: int) -> list[object]:
    """Return for each full block what its keys and values depend on: all that stands up to its end."""
    tokens, images = prompt["tokens"], sorted((c, s) for c, s in prompt["images"])
    ends = range(size, len(tokens) + 1, size)
    return [(prompt["adapter"], tokens[:end], [i for i in images if i[1] < end]) for end in ends]


class BlockKeys(SlipTable):
    """The answer is block_keys(tokens, block_size, adapter, images) -> list of keys."""

    id = "08.3"
    title = "A key for every block"
    answer = "block_keys"
    minutes = 14
    difficulty = 3
    points = 3.0
    expects = "a function"
    slips = MappingProxyType({
        "the same twice": ("not-repeatable", "the same prompt has the same keys every time, and another one others."),
        "another order": ("forgets-the-order", "the same tokens in another order are another text."),
        "the same picture again": ("forgets-the-picture", "a picture that comes twice stands in two places."),
        "pictures alike": ("forgets-the-picture", "two pictures differ in a single byte."),
        "large numbers": ("runs-together", "tokens may be large, and differ in their high digits only."),
        "another start": ("no-parent", "a block's key must differ when a block before it does."),
        "another end": ("too-much", "the blocks before a difference are the same: their keys must be equal."),
        "a part of a block": ("keys-a-part", "only full blocks have a key."),
        "another adapter": ("forgets-the-adapter", "with another adapter every key is another."),
        "an adapter without a name": ("untagged", "no adapter, and one with the name \"\", are two things."),
        "an adapter called None": ("untagged", "no adapter, and one with the name \"None\", are two things."),
        "another picture": ("forgets-the-picture", "another picture, other keys, from its block on."),
        "a picture that comes later": ("too-much", "a picture must not change the keys of the blocks before it."),
        "the same picture elsewhere": ("forgets-the-place", "the same picture one place later is something else."),
        "a picture over the edge": ("forgets-the-picture", "a picture takes two positions, and may lie in two blocks. "
                                                           "But what the first block's key says, the second one's "
                                                           "says through its parent."),
        "two pictures, two orders": ("too-much", "the list of pictures is a set of places: its order says nothing."),
        "tokens that run together": ("runs-together", "the tokens 1, 23 are not 12, 3: keep the parts apart."),
        "adapter and token": ("untagged", "an adapter is no token: each part needs a name or a place of its own."),
        "many": ("too-few", "of many blocks each needs a key of its own."),
    })

    def cases(self, seed: int) -> list[Case]:
        """Pairs of prompts: what must be the same, and what must not."""
        draw = self.draw(seed)
        tokens = [draw.randrange(1, 400) for _ in range(12)]
        here, there = draw.sample(range(12), 2)
        changed = [token + (place == min(here, there)) for place, token in enumerate(tokens)]
        return [
            _pair("the same twice", _prompt([1, 2, 3, 4, 5]), _prompt([1, 2, 9, 4, 5]), 2, visible=True),
            _pair("the same twice", _prompt(tokens, "law"), _prompt(tokens, "law"), 3),
            _pair("another start", _prompt(LONG), _prompt([9, *LONG[1:]]), 2),
            _pair("another start", _prompt(tokens), _prompt(changed), 4),
            _pair("another end", _prompt(LONG), _prompt([*LONG[:7], 9]), 2),
            _pair("a part of a block", _prompt(LONG[:7]), _prompt(LONG[:3]), 4),
            _pair("another adapter", _prompt(LONG, "law"), _prompt(LONG, "medicine"), 2),
            _pair("an adapter called None", _prompt(LONG, None), _prompt(LONG, "None"), 4),
            _pair("an adapter without a name", _prompt(LONG, None), _prompt(LONG, ""), 4),
            _pair("another order", _prompt(LONG), _prompt([2, 1, 3, 4, 6, 5, 7, 8]), 4),
            _pair("large numbers", _prompt([1, 2, 3, 4]), _prompt([1 + 2**16, 2, 3 + 2**32, 4]), 2),
            _pair("the same picture again", _prompt(LONG, None, (CAT, 0), (CAT, 4)), _prompt(LONG, None, (CAT, 4)), 4),
            _pair("pictures alike", _prompt(LONG, None, (ALIKE, 2)), _prompt(LONG, None, (f"{ALIKE[:-1]}\xfe", 2)), 4),
            _pair("another picture", _prompt(LONG, None, (CAT, 2)), _prompt(LONG, None, (DOG, 2)), 2),
            _pair("another picture", _prompt(LONG, None, (CAT, 4)), _prompt(LONG), 4),
            _pair("a picture that comes later", _prompt(LONG, None, (CAT, 6)), _prompt(LONG), 2),
            _pair("the same picture elsewhere", _prompt(LONG, None, (CAT, 4)), _prompt(LONG, None, (CAT, 5)), 4),
            _pair("a picture over the edge", _prompt(LONG, None, (CAT, 3)), _prompt(LONG, None, (DOG, 3)), 4),
            _pair("two pictures, two orders", _prompt(LONG, None, (CAT, 0), (DOG, 2)),
                  _prompt(LONG, None, (DOG, 2), (CAT, 0)), 4),
            _pair("tokens that run together", _prompt([1, 23]), _prompt([12, 3]), 2),
            _pair("adapter and token", _prompt([1, 2], "3"), _prompt([3, 1], "2"), 2),
            _pair("many", _prompt([*range(400)]), _prompt([*range(1, 401)]), 2),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Ask for both prompts, and for the first one again in another process; compare block by block."""
        memory = Memory(answer)
        one, two = (_asked(answer, prompt, case["size"]) for prompt in (case["one"], case["two"]))
        memory.rewind()  # another process remembers nothing of this one
        with another_process(2, answer):
            _, again = (_asked(answer, prompt, case["size"]) for prompt in (case["two"], case["one"]))
        shorter = min(len(one), len(two))
        return {"counts": [len(one), len(two)], "equal": [one[n] == two[n] for n in range(shorter)],
                "repeats": len({*one, *two}), "again": one == again}

    def judge(self, case: Case, value: object) -> Verdict:
        """Block by block: equal keys where the content is equal, and only there."""
        if not is_record(value, SEEN) or type(value["again"]) is not bool or type(value["repeats"]) is not int:
            return self.unseen("these keys")
        one, two = content(case["one"], case["size"]), content(case["two"], case["size"])
        if value["counts"] != [len(one), len(two)]:
            return self.wrong("keys-a-part", f"Case '{case.label}': {value['counts']} keys for the two prompts, and "
                                             f"{[len(one), len(two)]} full blocks.")
        if not value["again"]:
            said = ("the same prompt, asked in two processes, has two keys. Python's hash() of a text is another one "
                    "in each process, and so is a number that is given in the order of asking.")
            return self.wrong("not-repeatable", f"Case '{case.label}': {said}")
        wanted = [a == b for a, b in zip(one, two, strict=False)]
        if type(value["equal"]) is not list or len(value["equal"]) != len(wanted):
            return self.unseen("these keys")
        if any(want and not got for want, got in zip(wanted, value["equal"], strict=True)):
            return self.wrong("too-much", f"Case '{case.label}': two blocks have different keys, and all that their "
                                          "keys and values depend on is the same.")
        if value["equal"] != wanted:
            return self.slip(case, before=f"Case '{case.label}', equal keys block by block: {value['equal']}, wanted "
                                          f"{wanted}: ") if len(wanted) < 9 else self.slip(case)
        if value["repeats"] != len({repr(each) for each in (*one, *two)}):
            return self.wrong("too-few", f"Case '{case.label}': two different blocks have one key.")
        return self.right("Equal keys, equal content: neither more nor less.")


def _asked(answer: Any, prompt: Mapping[str, Any], size: int) -> list[object]:
    """Ask for the keys of a prompt; each must be a plain value."""
    images = [(name.encode("latin-1"), start) for name, start in prompt["images"]]
    given = [list(prompt["tokens"]), [*images]]
    found = answer(given[0], size, prompt["adapter"], given[1])
    if given != [prompt["tokens"], images]:
        raise AnswerProblem("changes-its-input", "block_keys changes what it is given. It belongs to the caller.")
    if found is None:
        raise AnswerProblem("untouched", "block_keys returns nothing yet.")
    if not isinstance(found, (list, tuple)) or not all(_plain(key) for key in found):
        raise AnswerProblem("wrong-shape", "block_keys should return a list of texts, bytes, numbers or tuples.")
    return list(found)


def _plain(key: object) -> bool:
    if type(key) is tuple:
        return all(_plain(part) for part in key)
    return type(key) in (str, bytes, int) or key is None


def _prompt(tokens: Sequence[int], adapter: str | None = None, *images: tuple[str, int]) -> dict[str, object]:
    return {"tokens": [*tokens], "adapter": adapter, "images": [[*image] for image in images]}


def _pair(label: str, one: dict, two: dict, size: int, visible: bool = False) -> Case:
    return Case(label, {"one": one, "two": two, "size": size}, visible)


EXERCISE = BlockKeys()
