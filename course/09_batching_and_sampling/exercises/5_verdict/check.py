"""Exercise 09.5: an oracle that tells rounding from a leak, for whatever server it is handed."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sharedstate.checks.shown import shown_class
from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict

if TYPE_CHECKING:
    from torch import Tensor

Toy: Any = shown_class(__file__, "Toy")
MOST_TRIES = 60
AGAIN = ("in an order by its own length", "in pieces by the size of the batch", "a leak from the second text on",
         "a trillionth of the neighbour")  # asked about with another server in between
WORDS = ("same", "rounding", "leak")
TEXTS = ([3, 14, 15, 9, 26, 5, 35, 8, 9, 7, 9, 3], [2, 7, 18, 28, 18, 28, 45, 9], [1, 41, 42, 13, 56, 23, 7, 30, 9, 50])


def _toy(logits: Callable[[Any, int, list, Any], Tensor]) -> Callable[[], Any]:
    """Return a maker of servers: the lab's Toy with other logits(toy, place, texts, dtype)."""
    return lambda: type("Server", (Toy,), {"logits": logits})()


def _sum(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
    """The logits of a text, added up from its beginning."""
    return toy.add_up(toy.vectors(texts[place], dtype))


def _back(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
    """The same, added up from its end."""
    return toy.add_up(toy.vectors(texts[place], dtype).flip(0))


def _in_pieces(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
    """Added up in pieces, the shorter the more texts there are."""
    vectors = toy.vectors(texts[place], dtype)
    return toy.add_up([toy.add_up(piece) for piece in vectors.split(max(1, 12 // len(texts)))])


def _company(texts: list) -> bool:
    return len(texts) > 1


def _single_only(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
    return (_back if _company(texts) and str(dtype) == "torch.float32" else _sum)(toy, place, texts, dtype)


def _last_only(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
    return (_back if _company(texts) and place == len(texts) - 1 else _sum)(toy, place, texts, dtype)


def _by_length(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
    return (_back if len(texts[place]) % 2 else _sum)(toy, place, texts, dtype)


def _share(part: float, first: int = 0) -> Callable[[Any, int, list, Any], Tensor]:
    """Return logits with a part of the text in front, for all texts from place `first` on."""

    def logits(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
        mine = _sum(toy, place, texts, dtype)
        return mine + part * _sum(toy, place - 1, texts, dtype) if _company(texts) and place >= first else mine

    return logits


def _to_the_first(part: float) -> Callable[[Any, int, list, Any], Tensor]:
    """Return logits with a part of the last text, for the first text alone."""

    def logits(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
        mine = _sum(toy, place, texts, dtype)
        return mine + part * _sum(toy, -1, texts, dtype) if place == 0 and _company(texts) else mine

    return logits


def _last_token(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
    mine = _sum(toy, place, texts, dtype)
    return mine + 1e-12 * toy.vectors(texts[place - 1], dtype)[-1] if _company(texts) else mine


def _moves_over(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
    """What the neighbour adds to one logit it takes from another one."""
    mine, part = _sum(toy, place, texts, dtype), 0.01 * _sum(toy, place - 1, texts, dtype)[0]
    if _company(texts):
        mine[2], mine[5] = mine[2] + part, mine[5] - part
    return mine


def _lengths(part: float) -> Callable[[Any, int, list, Any], Tensor]:
    """Return logits that follow the length of the longest text, and nobody's tokens."""

    def logits(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
        longer = max(len(text) for text in texts) + len(texts) - 1 - len(texts[place])
        return _sum(toy, place, texts, dtype) * (1 + part * longer * _company(texts))

    return logits


def _scaled(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
    """Divided by the batch's largest logit, added up, and multiplied again."""
    scale = max(_sum(toy, n, texts, dtype).max() for n in range(len(texts)))
    return toy.add_up(toy.vectors(texts[place], dtype) / scale) * scale


def _one_logit(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
    """One logit is a little larger in company, whatever the company is."""
    mine = _sum(toy, place, texts, dtype)
    mine[3] += 3e-9 * _company(texts)
    return mine


def _not_a_number(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
    """One logit is NaN for whoever is not the longest in company."""
    mine = _sum(toy, place, texts, dtype)
    if len(texts[place]) < max(map(len, texts)):
        mine[3] = float("nan")
    return mine


def _three(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
    part = 0.01 if len(texts) > 2 else 0
    return _sum(toy, place, texts, dtype) + part * _sum(toy, place - 1, texts, dtype)


def _by_batch(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
    return (_back if _company(texts) else _sum)(toy, place, texts, dtype)


def _peeks(toy: Any, place: int, texts: list, dtype: Any) -> Tensor:
    return _sum(toy, place, texts, dtype) + 0.01 * _sum(toy, place - 1, texts, dtype)


@dataclass(frozen=True)
class Kind:
    """A kind of server: how it is made, its word, and what a wrong word means."""

    make: Callable[[], Any]
    word: str
    reason: str
    said: str
    visible: bool = False


ACCUSES = "no neighbour's token and no neighbour's length arrives, only another order of the same additions"
KINDS: Mapping[str, Kind] = MappingProxyType({
    "each for itself": Kind(Toy, "same", "false-alarm", "every bit is the same in any company.", True),
    "added up from the end in company": Kind(_toy(_by_batch), "rounding", "accuses-rounding", f"{ACCUSES}.", True),
    "a hundredth of the neighbour": Kind(_toy(_peeks), "leak", "misses-a-leak", "a hundredth of the text in front is "
                                         "added.", True),
    "in an order by its own length": Kind(_toy(_by_length), "same", "false-alarm", "the order of the additions follows "
                                          "the text's own length, alone as in company."),
    "in pieces by the size of the batch": Kind(_toy(_in_pieces), "rounding", "accuses-rounding", f"{ACCUSES}."),
    "other bits in float32 only": Kind(_toy(_single_only), "rounding", "one-precision", "in float64 every bit is the "
                                       "same, and in float32 not. Ask in both."),
    "other bits for the last text only": Kind(_toy(_last_only), "rounding", "one-text", "all texts but the last have "
                                              "the same bits. Ask for every text."),
    "a leak from the second text on": Kind(_toy(_share(0.01, 1)), "leak", "one-text", "the first text gets nothing of "
                                           "the others, the second does. Ask for every text."),
    "a leak into the first text": Kind(_toy(_to_the_first(0.01)), "leak", "one-text", "only the first text gets "
                                       "something of another, of the last. Ask for every text."),
    "only three leak": Kind(_toy(_three), "leak", "only-pairs", "with two texts all is well, with three it is not. "
                            "Serve them all together."),
    "from one logit to another": Kind(_toy(_moves_over), "leak", "sums-away", "what one logit gets, another one loses, "
                                      "so their sum stays. Compare them one by one."),
    "a ten-millionth of the neighbour": Kind(_toy(_share(1e-7)), "leak", "hides-in-float32", "in float32 it looks like "
                                             "rounding. In float64 it is as large, and rounding would not be."),
    "a trillionth of the neighbour": Kind(_toy(_share(1e-12)), "leak", "below-the-tolerance", "it lies below both "
                                          "tolerances. But other tokens of the neighbour change bits, in float64."),
    "a trillionth, from the last to the first": Kind(_toy(_to_the_first(1e-12)), "leak", "one-neighbour", "the first "
                                                     "text gets a trillionth of the last one. Change all the others, "
                                                     "not only the one in front."),
    "a trillionth of the last token": Kind(_toy(_last_token), "leak", "one-token", "only the neighbour's last token "
                                           "arrives, and little of it. Change all of the others' tokens."),
    "scaled by the batch's largest": Kind(_toy(_scaled), "leak", "below-the-tolerance", "it is as small as rounding in "
                                          "both precisions. But which bits come out follows the neighbours' tokens."),
    "by the longest text": Kind(_toy(_lengths(0.01)), "leak", "only-the-contents", "no token of the others arrives, "
                                "but their length does. The neighbours' tokens cannot show that, being alone can."),
    "by the longest text, a little": Kind(_toy(_lengths(1e-7)), "leak", "only-the-contents", "the others' length "
                                          "arrives, a little: below 1e-4 in float32, and above 1e-9 in float64."),
    "a little in one logit": Kind(_toy(_one_logit), "leak", "averages-away", "in company one logit is larger by 3e-9, "
                                  "in float64. Look at the largest difference, not at the mean."),
    "not a number": Kind(_toy(_not_a_number), "leak", "nan", "in company one logit is NaN. NaN > 1e-4 is False, and so "
                         "is NaN <= 1e-4: ask whether it is `not` near enough."),
})


class RoundingOrLeak(Exercise):
    """The answer is what_is_it(server, texts) -> "same", "rounding" or "leak"."""

    id = "09.5"
    title = "Rounding or leak?"
    answer = "what_is_it"
    minutes = 12
    difficulty = 3
    points = 3.0
    expects = "a function"
    seconds = 20.0

    def cases(self, seed: int) -> list[Case]:
        """Every kind with the same three texts, then two kinds of them with drawn ones."""
        draw = self.draw(seed)
        drawn = [[draw.randrange(61) for _ in range(length)] for length in (20, 16, 23, 18)]
        fixed = [Case(name, {"kind": name, "texts": [*map(list, TEXTS)]}, one.visible) for name, one in KINDS.items()]
        more = ("in pieces by the size of the batch", "a trillionth of the neighbour")
        return [*fixed, *(Case(name, {"kind": name, "texts": drawn}) for name in more)]

    def among(self, case: Case) -> bool:
        """No: `run` puts another server in between itself, since a server is nothing that can be copied."""
        return False

    def run(self, answer: Any, case: Case) -> object:
        """Ask about the server; for some kinds, also about another one and about the first again.

        The other one lies where the first one lay, if Python gives that address again: it must not be taken for it.
        """
        kinds, words, last = [KINDS[name] for name in _asked(case)], list[object](), 0
        for kind in kinds:
            toy, texts = kind.make(), copy.deepcopy(case["texts"])
            servers = [_nameless(toy)]
            while last and id(servers[-1]) != last and len(servers) < MOST_TRIES:
                servers.append(_nameless(toy))
            last = id(servers[-1])
            words.append(answer(servers[-1], texts))
            if texts != case["texts"]:
                said = "what_is_it changes the texts that it is given. They belong to the caller: work on copies."
                raise AnswerProblem("changes-its-input", said)
        if words[0] is None or words[0] is ...:
            raise AnswerProblem("untouched", "what_is_it returns nothing yet.")
        return words

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare with the word of the kind."""
        kinds = [KINDS[name] for name in _asked(case)]
        if type(value) is not list or len(value) != len(kinds):
            return self.unseen("these words")
        odd = [word for word in value if type(word) is not str or word not in WORDS]
        if odd:
            return self.wrong("not-a-word", f"what_is_it should return one of {', '.join(WORDS)}, not {odd[0]!r}.")
        first = kinds[0]
        if value[0] != first.word:
            return self.wrong(first.reason, f"A server of the kind '{case.label}': you say {value[0]!r}, and it is "
                                            f"{first.word!r}: {first.said}")
        if value != [kind.word for kind in kinds]:
            return self.wrong("keeps-state", f"Asked about '{case.label}', about another server and about the first "
                                             f"again, you say {value}, and not {[kind.word for kind in kinds]}: "
                                             "something is kept from one call to the next, by the texts or by id().")
        return self.right("You can tell rounding from a leak, for any server.")


def _asked(case: Case) -> list[str]:
    """Return the kinds that are asked about, in order."""
    name = case["kind"]
    other = "a hundredth of the neighbour" if KINDS[name].word == "rounding" else "added up from the end in company"
    return [name, other, name] if name in AGAIN else [name]


def _nameless(toy: Any) -> Callable[[list, Any], list]:
    """Return a server that nobody can tell by its name or its class."""

    def server(texts: list, dtype: Any) -> list:
        return toy([list(text) for text in texts], dtype)

    return server


EXERCISE = RoundingOrLeak()
