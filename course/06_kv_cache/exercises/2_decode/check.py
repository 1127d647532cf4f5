"""Exercise 06.2: write on with a cache, every token fed once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict, is_record

VISIBLE, TEXTS = "a prompt of three", "three texts on one machine, the first one again at the end"
STOPPED, ENDED = "the stop stands in the prompt", "the prompt ends with the stop"
ZERO = "the stop is token 0"
SEVEN = 7
OVERWRITTEN = "the list of an earlier text has changed since. Give a new list each time: one list for all is shared."
STRANGE = ("the box that decode feeds is none of this machine's. Every text gets a new box: call machine.new_box() in"
           " decode each time, and keep no box for the next text.")
LARGE, CLOSE = "stops in a vocabulary of thousands", "logits that are close"
WORDS = MappingProxyType({"a vocabulary of forty": 40, "a vocabulary of three": 3, LARGE: 3000})
LENT = "decode changes the list of logits that step gave it. It belongs to the machine."


def logits(seed: int, history: Sequence[int], words: int = SEVEN, near: bool = False) -> list[float]:
    """Return a logit for each of so many tokens after this history: all below zero, no two alike.

    near: whether they differ by billionths only.
    """
    draw = random.Random(f"{seed}:{list(history)}")
    return [-1.0 - (1e-9 if near else 1.0) * draw.random() for _ in range(words)]


class Machine:
    """A model with a cache, for the check: `new_box()` and `step(box, tokens)`; it keeps a record of what was fed."""

    def __init__(self, seed: int, words: int = SEVEN, near: bool = False) -> None:
        self._seed, self._words, self._near = seed, words, near
        self._given: tuple[list[float], list[float]] = [], []  # the last logits, and a copy
        self._boxes: list[list[int]] = []
        self.record: list[list[Any]] = []

    def new_box(self) -> int:
        """Return a new, empty box (its number)."""
        self._boxes.append([])
        return len(self._boxes) - 1

    def step(self, box: int, tokens: list[int]) -> list[float]:
        """Feed tokens behind what the box holds; return the logits for the token after them."""
        known = type(box) is int and 0 <= box < len(self._boxes)
        if type(box) is int and not known:
            raise AnswerProblem("one-box-for-two", STRANGE)
        if not known or type(tokens) is not list or not tokens or not all(type(t) is int for t in tokens):
            said = "machine.step(box, tokens) takes a box of machine.new_box() and a list of at least one int"
            raise AnswerProblem("wrong-call", f"{said}; it was given {_shown(box)} and {_shown(tokens)}.")
        self._boxes[box].extend(tokens)
        self.record.append([box, list(tokens)])
        self.require_unchanged()
        found = logits(self._seed, self._boxes[box], self._words, self._near)
        self._given = found, [*found]
        return found

    def require_unchanged(self) -> None:
        """Raise AnswerProblem where the logits that were given last are not as they were."""
        if self._given[0] != self._given[1]:
            raise AnswerProblem("changes-its-input", LENT)


def _shown(given: object) -> str:
    """What was given, in short words: never the object's own text, which may do anything."""
    if type(given) in (int, str) or given is None:
        return repr(given)[:40]
    if type(given) is list and given:
        strange = next((one for one in given if type(one) is not int), given[0])
        return f"a list of {type(strange).__name__}"
    return "an empty list" if type(given) is list else f"a {type(given).__name__}"


def _short(tokens: list[int]) -> str:
    """The tokens, or the first of many."""
    return str(tokens) if len(tokens) <= 12 else f"[{', '.join(map(str, tokens[:9]))}, … {len(tokens)} tokens]"


def written(
    seed: int, prompt: Sequence[int], count: int, stop: int | None, words: int = SEVEN, near: bool = False
) -> list[int]:
    """Return the tokens that greedy decoding writes: `count` at most, the first `stop` is the last one."""
    history, new = list(prompt), list[int]()
    while len(new) < count and (not new or new[-1] != stop):
        scores = logits(seed, history, words, near)
        new.append(max(range(words), key=scores.__getitem__))
        history.append(new[-1])
    return new


class DecodeLoop(Exercise):
    """The answer is decode(machine, prompt, count, stop) -> the new tokens."""

    id = "06.2"
    title = "Write on, feed once"
    answer = "decode"
    minutes = 8
    difficulty = 1
    points = 2.0
    expects = "a function"

    def cases(self, seed: int) -> list[Case]:
        """No stop; a stop in the middle, at the first token, never, in the prompt; one token, none; several texts."""
        draw = self.draw(seed)
        found = [_case(VISIBLE, 12, [[1, 2, 3]], 4, None, visible=True)]
        for label, count, place in (("a longer text", 300, None), ("stops in the middle", 9, 3),
                                    ("stops at once", 6, 0), ("one token", 1, None), ("no token at all", 0, None),
                                    ("a prompt of one", 5, None), (STOPPED, 6, None), (ENDED, 6, None), (ZERO, 8, 2),
                                    (TEXTS, 4, None), (CLOSE, 12, None),
                                    *((label, 12, 3 if label == LARGE else None) for label in WORDS)):
            length = {"a prompt of one": 1, "a longer text": 140}.get(label, draw.randrange(2, 6))
            known = range(label == ZERO, WORDS.get(label, SEVEN))
            prompts = [[draw.choice(known) for _ in range(length)] for _ in range(1 + (label == TEXTS))]
            found.append(_case(label, draw.randrange(10**6), prompts, count, place))
        return found

    def run(self, answer: Any, case: Case) -> object:
        """Let the answer write on each prompt of the case, on one machine; every prompt comes in the same list."""
        machine, texts, kept, given = Machine(case["seed"], case["words"], case.label == CLOSE), [], [], list[int]()
        for prompt in case["prompts"]:
            given[:] = prompt
            new = answer(machine, given, case["count"], case["stop"])
            if new is None:
                raise AnswerProblem("untouched", "decode returns nothing yet.")
            machine.require_unchanged()
            if given != prompt:
                raise AnswerProblem("changes-its-input", "decode changes the prompt, which belongs to the caller.")
            if type(new) not in (list, tuple):
                raise AnswerProblem("wrong-shape", f"decode should return a list of tokens, not {_shown(new)}.")
            kept.append(new)
            texts.append(list(new))
        if [list(new) for new in kept] != texts:
            raise AnswerProblem("overwrites-its-answers", OVERWRITTEN)
        return {"texts": texts, "fed": machine.record}

    def judge(self, case: Case, value: object) -> Verdict:
        """First the tokens, then what was fed for them."""
        if not is_record(value, ("texts", "fed")) or type(value["texts"]) is not list:
            return self.unseen()
        texts = value["texts"]
        if any(type(t) is not list or not all(type(n) is int for n in t) for t in texts):
            return self.wrong("wrong-shape", "decode should return a list of tokens.")
        if len(texts) != len(case["prompts"]):
            return self.unseen()
        right = [written(case["seed"], prompt, case["count"], case["stop"], case["words"], case.label == CLOSE)
                 for prompt in case["prompts"]]
        if not _is_record(value["fed"]):
            return self.unseen()
        fed = self._fed(case, right, texts, _relabelled(value["fed"]))
        return self._tokens(case, right, texts, fed) or fed or self.right("Every token written, each fed once.")

    def _tokens(self, case: Case, right: list, texts: list, fed: Verdict | None) -> Verdict | None:
        """What is wrong with the tokens; where they differ because of what was fed, that is said instead."""
        if texts == right:
            return None
        said = f"Case '{case.label}', prompt {_short(case['prompts'][0])}, count {case['count']}, stop {case['stop']}: "
        for new, wanted, prompt in zip(texts, right, case["prompts"], strict=True):
            found = f"{said}{_short(new)}, wanted {_short(wanted)}"
            if case.label in (STOPPED, ENDED) and len(new) < len(wanted):
                return self.wrong("stops-at-the-prompt", f"{found}. The stop ends new text only.")
            if new == [*prompt, *wanted]:
                return self.wrong("returns-the-prompt", f"{said}return the new tokens alone.")
            if len(new) < len(wanted) and new == wanted[: len(new)]:
                dropped = wanted[len(new):] == [case["stop"]]
                words = "the stop belongs to the answer" if dropped else "more are asked for"
                return self.wrong("loses-the-stop" if dropped else "too-few", f"{found}: {words}.")
            if len(new) > len(wanted) and new[: len(wanted)] == wanted:
                if case.label == ZERO:
                    return self.wrong("zero-is-no-stop", f"{found}: 0 is a token, and counts as False.")
                return self.wrong("does-not-stop" if wanted[-1:] == [case["stop"]] else "too-many", f"{found}.")
        if fed and fed.reason != "wrong-feed":
            return fed
        words = f"Take the largest of all {case['words']} logits."
        return self.wrong("wrong-tokens", f"{said}{_short(texts[0])}, wanted {_short(right[0])}. {words}")

    def _fed(self, case: Case, right: list, texts: list, fed: list) -> Verdict | None:
        if fed in (_wanted(case, right), _wanted(case, texts)):
            return None                     # what it wrote, it fed as it should: then the tokens alone are judged
        said = f"Case '{case.label}': "
        if not fed:
            return self.wrong("wrong-feed", f"{said}nothing was fed.")
        if case.label == TEXTS and len({box for box, _ in fed}) < len(texts):
            words = "every text gets a new box, and is fed, also one that was there before"
            return self.wrong("one-box-for-two", f"{said}fewer boxes than texts were used: {words}.")
        prompt, new = case["prompts"][0], right[0]
        mine = [tokens for box, tokens in fed if box == fed[0][0]]
        flat = [token for tokens in mine for token in tokens]
        if not new and fed:
            return self.wrong("feeds-for-nothing", f"{said}no token is asked for, so none need be fed.")
        if texts[0] and flat == [*prompt, *texts[0]]:
            return self.wrong("feeds-the-last", f"{said}the last token was fed too, and nobody reads those logits.")
        if flat[: len(prompt)] == prompt and len(mine[0]) < len(prompt):
            return self.wrong("prompt-in-pieces", f"{said}feed the prompt in one go: {mine[:2]} …")
        again = [tokens for tokens in mine[1:] if len(tokens) > 1]
        again += [tokens for tokens in mine[1:2] if tokens == prompt[-1:] != texts[0][:1]]
        again += [tokens for box, tokens in fed if len(tokens) > len(prompt)]
        if case.label != TEXTS and again:
            return self.wrong("feeds-again", f"{said}{again[0]} was fed again. The box holds it: feed what is new.")
        wanted = _wanted(case, right)
        same = (one == other for one, other in zip(fed, wanted, strict=False))
        odd = next((n for n, equal in enumerate(same) if not equal), min(len(fed), len(wanted)))
        words = f"call {odd + 1} of step fed {_call(fed, odd)}, wanted {_call(wanted, odd)}"
        return self.wrong("wrong-feed", f"{said}{words}.")


def _call(calls: list, number: int) -> str:
    return f"{calls[number][1]} into box {calls[number][0]}" if number < len(calls) else "nothing (no such call)"


def _case(
    label: str, seed: int, prompts: list[list[int]], count: int, place: int | None, visible: bool = False
) -> Case:
    """A case; `place`: which of the tokens that would be written is the stop (None: one that is never written)."""
    words = WORDS.get(label, SEVEN)
    while place is not None and not _stops_at(place, written(seed, prompts[0], count, None, words), prompts[0], label):
        seed += 1
    new = written(seed, prompts[0], count, None, words, label == CLOSE)
    never = next((t for t in range(words) if t not in [*new, *prompts[0], *prompts[-1]]), words)
    stop = None if visible else never if place is None else new[place]
    if label in (STOPPED, ENDED):
        stop = next((t for t in range(1, words) if t not in new), new[-1])
        prompts = [[stop, *prompts[0][1:]] if label == STOPPED else [*prompts[0][:-1], stop]]
    if label == TEXTS:
        prompts = [*prompts, list(prompts[0])]
    return Case(label, {"seed": seed, "prompts": prompts, "count": count, "stop": stop, "words": words}, visible)


def _stops_at(place: int, new: list[int], prompt: list[int], label: str) -> bool:
    """True when the token at this place may be the stop: new here, and 0 in the one case that is about 0."""
    far = label != LARGE or new[place] > 256  # where equal numbers are two objects
    return far and new[place] not in [*prompt, *new[:place]] and (new[place] == 0) is (label == ZERO)


def _wanted(case: Case, texts: list[list[int]]) -> list[list[object]]:
    """What must be fed to write these texts, each into a box of its own."""
    pairs = enumerate(zip(case["prompts"], texts, strict=True))
    return [piece for box, (prompt, new) in pairs for piece in _pieces(prompt, new, box)]


def _pieces(prompt: list[int], new: list[int], box: int) -> list[list[object]]:
    """What must be fed: the prompt, then every new token but the last."""
    return [[box, prompt], *([box, [token]] for token in new[:-1])] if new else []


def _relabelled(fed: list) -> list[list[object]]:
    """The record with boxes numbered as they were first fed: a box that was made and never used is no matter."""
    order = list(dict.fromkeys(box for box, _ in fed))
    return [[order.index(box), tokens] for box, tokens in fed]


def _is_record(fed: object) -> bool:
    return type(fed) is list and all(
        type(one) is list and len(one) == 2 and type(one[0]) is int and type(one[1]) is list for one in fed)


EXERCISE = DecodeLoop()
