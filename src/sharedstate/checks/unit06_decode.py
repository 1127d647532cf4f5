"""Exercise 06.2: write on with a cache, every token fed once."""

from __future__ import annotations

import random
from collections.abc import Sequence

from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict

VISIBLE, TWO, STOPPED = "a prompt of three", "two texts on one machine", "the stop stands in the prompt"
WORDS = 7


def logits(seed: int, history: Sequence[int]) -> list[float]:
    """Return a logit for each of seven tokens after this history: all below zero, no two alike."""
    draw = random.Random(f"{seed}:{list(history)}")
    return [-1.0 - draw.random() for _ in range(WORDS)]


class Machine:
    """A model with a cache, for the check: `new_box()` and `step(box, tokens)`; it keeps a record of what was fed."""

    def __init__(self, seed: int) -> None:
        self._seed, self._boxes, self.record = seed, [], []

    def new_box(self) -> int:
        """Return a new, empty box (its number)."""
        self._boxes.append([])
        return len(self._boxes) - 1

    def step(self, box: int, tokens: list[int]) -> list[float]:
        """Feed tokens behind what the box holds; return the logits for the token after them."""
        known = type(box) is int and 0 <= box < len(self._boxes)
        if not known or type(tokens) is not list or not tokens or not all(type(t) is int for t in tokens):
            said = "machine.step(box, tokens) takes a box of machine.new_box() and a list of at least one token."
            raise AnswerProblem("wrong-call", said)
        self._boxes[box].extend(tokens)
        self.record.append([box, list(tokens)])
        return logits(self._seed, self._boxes[box])


def written(seed: int, prompt: Sequence[int], count: int, stop: int | None) -> list[int]:
    """Return the tokens that greedy decoding writes: `count` at most, the first `stop` is the last one."""
    history, new = list(prompt), []
    while len(new) < count and (not new or new[-1] != stop):
        scores = logits(seed, history)
        new.append(max(range(WORDS), key=scores.__getitem__))
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
        """No stop; a stop in the middle, at the first token, never; one token, none; two texts."""
        draw = random.Random(f"06.2:{seed}")
        found = [_case(VISIBLE, 12, [[1, 2, 3]], 4, None, visible=True)]
        for label, count, place in (("a longer text", 25, None), ("stops in the middle", 9, 3), ("stops at once", 6, 0),
                                    ("one token", 1, None), ("no token at all", 0, None),
                                    ("a prompt of one", 5, None), (STOPPED, 6, None), (TWO, 4, None)):
            length = {"a prompt of one": 1, "a longer text": 9}.get(label, draw.randrange(2, 6))
            prompts = [[draw.randrange(WORDS) for _ in range(length)] for _ in range(1 + (label == TWO))]
            found.append(_case(label, draw.randrange(10**6), prompts, count, place))
        return found

    def run(self, answer: object, case: Case) -> object:
        """Let the answer write on each prompt of the case, on one machine."""
        machine, texts = Machine(case["seed"]), []
        for prompt in case["prompts"]:
            given = list(prompt)
            new = answer(machine, given, case["count"], case["stop"])
            if new is None:
                raise AnswerProblem("untouched", "decode returns nothing yet.")
            if given != prompt:
                raise AnswerProblem("changes-its-input", "decode changes the prompt, which belongs to the caller.")
            texts.append(list(new) if type(new) in (list, tuple) else new)
        return {"texts": texts, "fed": machine.record}

    def judge(self, case: Case, value: object) -> Verdict:
        """First the tokens, then what was fed for them."""
        if type(value) is not dict or set(value) != {"texts", "fed"} or type(value["texts"]) is not list:
            return self.wrong("wrong-shape", "Nothing could be seen of this run.")
        texts = value["texts"]
        if any(type(t) is not list or not all(type(n) is int for n in t) for t in texts):
            return self.wrong("wrong-shape", "decode should return a list of tokens.")
        if len(texts) != len(case["prompts"]):
            return self.wrong("wrong-shape", "Nothing could be seen of this run.")
        right = [written(case["seed"], p, case["count"], case["stop"]) for p in case["prompts"]]
        if not _is_record(value["fed"]):
            return self.wrong("wrong-shape", "Nothing could be seen of this run.")
        fed = self._fed(case, right, texts, _relabelled(value["fed"]))
        return self._tokens(case, right, texts, fed) or fed or self.right("Every token written, each fed once.")

    def _tokens(self, case: Case, right: list, texts: list, fed: Verdict | None) -> Verdict | None:
        """What is wrong with the tokens; where they differ because of what was fed, that is said instead."""
        if texts == right:
            return None
        said = f"Case '{case.label}', prompt {case['prompts'][0]}, count {case['count']}, stop {case['stop']}: "
        for new, wanted, prompt in zip(texts, right, case["prompts"], strict=True):
            if case.label == STOPPED and len(new) < len(wanted):
                return self.wrong("stops-at-the-prompt", f"{said}{new}, wanted {wanted}. The stop ends new text only.")
            if new == [*prompt, *wanted]:
                return self.wrong("returns-the-prompt", f"{said}return the new tokens alone.")
            if len(new) < len(wanted) and new == wanted[: len(new)]:
                dropped = wanted[len(new):] == [case["stop"]]
                words = "the stop belongs to the answer" if dropped else "more are asked for"
                return self.wrong("loses-the-stop" if dropped else "too-few", f"{said}{new}, wanted {wanted}: {words}.")
            if len(new) > len(wanted) and new[: len(wanted)] == wanted:
                reason = "does-not-stop" if wanted and wanted[-1] == case["stop"] else "too-many"
                return self.wrong(reason, f"{said}{new}, wanted {wanted}.")
        if fed and fed.reason != "wrong-feed":
            return fed
        return self.wrong("wrong-tokens", f"{said}{texts[:1]}, wanted {right[0]}. Take the largest logit.")

    def _fed(self, case: Case, right: list, texts: list, fed: list) -> Verdict | None:
        if fed in (_wanted(case, right), _wanted(case, texts)):
            return None                     # what it wrote, it fed as it should: then the tokens alone are judged
        said = f"Case '{case.label}': "
        if not fed:
            return self.wrong("wrong-feed", f"{said}nothing was fed.")
        if case.label == TWO and len({box for box, _ in fed}) == 1:
            return self.wrong("one-box-for-two", f"{said}the second text was written into the box of the first.")
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
        if case.label != TWO and again:
            return self.wrong("feeds-again", f"{said}{again[0]} was fed again. The box holds it: feed what is new.")
        wanted = _wanted(case, right)[:4]
        return self.wrong("wrong-feed", f"{said}fed {fed[:4]} …, wanted {wanted} …")


def _case(
    label: str, seed: int, prompts: list[list[int]], count: int, place: int | None, visible: bool = False
) -> Case:
    """A case; `place`: which of the tokens that would be written is the stop (None: one that is never written)."""
    while place is not None and written(seed, prompts[0], count, None)[place] in prompts[0]:
        seed += 1
    new = written(seed, prompts[0], count, None)
    stop = next((t for t in range(WORDS) if t not in [*new, *prompts[0], *prompts[-1]]), WORDS)
    stop = None if visible else stop if place is None else new[place]
    if label == STOPPED:
        stop = next((t for t in range(WORDS) if t not in new), new[-1])
        prompts = [[stop, *prompts[0][1:]]]
    return Case(label, {"seed": seed, "prompts": prompts, "count": count, "stop": stop}, visible)


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
