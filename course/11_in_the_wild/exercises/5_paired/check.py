"""Exercise 11.5: a pair of tests for a cache's key: what does it forget, and does the same content still hit?"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import PlainFunction, SlipTable

Request = dict[str, Any]
Key = Callable[[Request], object]


def whole(request: Request) -> object:
    """Everything, in the order of the names."""
    return str(sorted(request.items()))


def tokens_only(request: Request) -> object:
    """The tokens."""
    return tuple(request["tokens"])


def lengths(request: Request) -> object:
    """The adapter, and how many tokens there are."""
    return request.get("adapter"), len(request["tokens"])


def bag(request: Request) -> object:
    """The tokens as a bag, and the picture."""
    return tuple(sorted(request["tokens"])), request.get("picture")


def first_four(request: Request) -> object:
    """Four tokens, the adapter and the picture."""
    return tuple(request["tokens"][:4]), request.get("adapter"), request.get("picture")


def in_given_order(request: Request) -> object:
    """Everything, in the order in which it was written down."""
    return str(request)


def newest_last(request: Request) -> object:
    """The last entry alone."""
    return str(list(request.items())[-1])


def _itself(key: Key) -> Key:
    return key


KEYS: Mapping[str, Callable[[], Key]] = MappingProxyType({
    **{key.__name__: partial(_itself, key) for key in (whole, tokens_only, lengths, bag, first_four, in_given_order,
                                                       newest_last)},
    "new_each_time": lambda: _numbered(),
})  # fmt: skip


def _numbered() -> Key:
    """A key that never hits: it counts."""
    numbers = itertools.count()
    return lambda request: next(numbers)


def right_pair(key: Key, request: Request, others: Mapping[str, Any]) -> list[Any]:
    """Return what the answer should, for a key that was made for it."""
    here = key(request)
    forgotten = [name for name in others if key({**request, name: others[name]}) == here]
    return [forgotten, key(dict(reversed(list(request.items())))) == here]


class Paired(PlainFunction, SlipTable):
    """The answer is paired(key, request, others) -> (list of factors, bool)."""

    id = "11.5"
    title = "What does the key forget?"
    answer = "paired"
    minutes = 12
    difficulty = 2
    points = 3.0
    given = ("key", "request", "others")
    slips = MappingProxyType({
        "the tokens alone": ("misses-a-factor", "the key forgets what can be changed without changing it."),
        "everything": ("false-alarm", "this key forgets nothing, and the same content hits."),
        "a factor that is not there": ("only-what-is-there", "a factor that this request does not have may be added: "
                                                             "a key that forgets it is wrong all the same."),
        "lengths": ("misses-a-factor", "other tokens, as many: the key is the same."),
        "the order of tokens": ("misses-a-factor", "the same tokens in another order: the key is the same."),
        "two are forgotten": ("changes-two", "change one factor alone, from the request as it was."),
        "the order of entries": ("forgets-the-pair", "the same content in the opposite order has another key: it never "
                                                     "hits. That is the second half of the pair."),
        "never hits": ("forgets-the-pair", "the key counts: the same content never hits."),
        "the last entry": ("only-what-is-there", "replace the value where it stands; a new dictionary with the entry "
                                                 "at its end is another request."),
        "the same value": ("misses-a-factor", "the other value is equal to the old one: the key cannot tell, and you "
                                              "report what you see."),
        "nothing to change": ("false-alarm", "with no others nothing is forgotten; ask for the hit all the same."),
    })

    def cases(self, seed: int) -> list[Case]:
        """The lab's example, then one case a slip."""
        draw = self.draw(seed)
        tokens = draw.sample(range(1, 50), 6)
        other, turned = [*tokens[:4], 51, 52], [*reversed(tokens)]
        law = {"tokens": tokens, "adapter": "law"}
        full = {**law, "picture": "cat", "salt": draw.randrange(1, 100)}
        changed = {"tokens": other, "adapter": "chef", "picture": "dog", "salt": 0}
        return [
            _case("the tokens alone", "tokens_only", law, {"adapter": "chef", "tokens": other}, visible=True),
            _case("everything", "whole", full, changed),
            _case("a factor that is not there", "tokens_only", law, {"picture": "cat", "tokens": other}),
            _case("lengths", "lengths", law, {"tokens": other, "salt": 3, "adapter": "chef"}),
            _case("the order of tokens", "bag", full, {"tokens": turned, "picture": "dog"}),
            _case("two are forgotten", "first_four", full, {"salt": 0, "tokens": other, "adapter": "chef"}),
            _case("two are forgotten", "lengths", full, {"adapter": "chef", "picture": "dog", "salt": 0}),
            _case("the order of entries", "in_given_order", full, changed),
            _case("never hits", "new_each_time", law, {"tokens": other, "adapter": "chef"}),
            _case("the last entry", "newest_last", law, {"tokens": other, "adapter": "chef"}),
            _case("the same value", "whole", law, {"adapter": "law", "tokens": other}),
            _case("nothing to change", "in_given_order", law, {}),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Call it with a key that was made for it."""
        found = self.called(answer, case, key=KEYS[case["made"]]())
        if not isinstance(found, (list, tuple)) or len(found) != 2:
            raise AnswerProblem("wrong-shape", "paired should return a pair (list of factors, True or False).")
        forgotten, hits = found
        if not isinstance(forgotten, (list, tuple)):
            raise AnswerProblem("wrong-shape", f"The first of the pair should be a list, not {forgotten!r}.")
        return [[*map(str, forgotten)], hits]

    def judge(self, case: Case, value: object) -> Verdict:
        """The factors, in order, and a bool."""
        if type(value) is not list or len(value) != 2 or type(value[0]) is not list or type(value[1]) is not bool:
            return self.wrong("wrong-shape", "paired should return a pair (list of factors, True or False).")
        wanted = right_pair(KEYS[case["made"]](), case["request"], case["others"])
        if value == wanted:
            return self.right("Other content must miss, and the same content must hit.")
        before = f"Case '{case.label}': {value} instead of {wanted}: "
        if sorted(value[0]) == sorted(wanted[0]) and value[1] == wanted[1]:
            return self.wrong("out-of-order", before + "the factors stand in the order of `others`.")
        return self.slip(case, before=before)


def _case(label: str, made: str, request: Request, others: Request, visible: bool = False) -> Case:
    return Case(label, {"made": made, "key": None, "request": request, "others": others}, visible)


EXERCISE = Paired()
