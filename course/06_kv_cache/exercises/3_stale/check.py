"""Exercise 06.3: which cards go stale when words are added? A question of who hears of whom, layer by layer."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Verdict
from sharedstate.checks.values import PlainFunction

Mask = list[list[bool]]
Rule = Callable[[Mask, int, int], list[list[int]]]
VISIBLE = "causal"


def stale_keys(mask: Mask, old: int, layers: int) -> list[list[int]]:
    """Return, layer by layer, which of the first `old` keys change when the words from `old` on are added.

    mask [S, S], True = may look. A key of layer 0 is made from its own word. Above, it is made from what its
    word has heard in all layers below: of a new word, or of one whose own state had changed already.
    """
    changed: set[int] = set()
    found = []
    for _ in range(layers):
        found.append(sorted(changed))
        heard = changed | set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[i][j] for j in heard)}
    return found


class StaleKeys(PlainFunction):
    """The answer is stale(mask, old, layers) -> for each layer the sorted places of the stale keys."""

    id = "06.3"
    title = "Which cards go stale?"
    answer = "stale"
    minutes = 10
    difficulty = 3
    points = 3.0
    given = ("mask", "old", "layers")

    def cases(self, seed: int) -> list[Case]:
        """Causal; both ways; windows that pass news on by one word a layer; masks without any order."""
        draw = self.draw(seed)
        size = draw.randrange(7, 10)
        old = size - 2
        near = draw.randrange(1, 3)
        found = [
            _case(VISIBLE, 6, 4, 3, lambda i, j: j <= i, visible=True),
            _case("one word looks at the new ones", size, old, 3, lambda i, j: i == 1 and j >= old),
            _case("both ways", size, old, 3, lambda i, j: True),
            _case("one layer, both ways", size, old, 1, lambda i, j: True),
            _case("a window both ways", size, old, 5, lambda i, j: abs(i - j) <= near),
            _case("both ways inside the prompt, causal after it", size, old, 3, lambda i, j: j <= max(i, old - 1)),
            _case("only the first word looks ahead", size, old, 4, lambda i, j: j <= i or i == 0),
            _case("looks one word ahead", size, old, 4, lambda i, j: j == i + 1),
            _case("news walks for many layers", 11, 9, 11, lambda i, j: j == i + 1),
            _case("one new word", size, size - 1, 3, lambda i, j: abs(i - j) <= near),
            _case("each of four new words is heard by one", 9, 5, 3, lambda i, j: j == i + 5),
            _case("twenty-four words", 24, 21, 4, lambda i, j: j in (i + 1, i + 9)),
            _case("nothing is added", size, size, 3, lambda i, j: True),
            _case("nobody looks anywhere", size, old, 3, lambda i, j: False),
        ]
        for number in range(3):
            share, dice = 0.12 + 0.06 * number, random.Random(f"06.3:{seed}:{number}")
            thrown = [[dice.random() < share for _ in range(size)] for _ in range(size)]
            found.append(_case(f"without order {number}", size, old, 4, partial(_entry, thrown)))
        return found

    def run(self, answer: Any, case: Case) -> object:
        """Ask the answer; what it gave must stay as it is when it is asked again."""
        found = self.called(answer, case)
        if not isinstance(found, (list, tuple)):
            said = f"stale should return a list with a list for each layer; it returned {type(found).__name__}."
            raise AnswerProblem("wrong-shape", said)
        seen = _copied(found)
        self.called(answer, case, layers=case["layers"] + 1)
        if _copied(found) != seen:
            said = "an answer given earlier has changed since. Give new lists each time: one list for all is shared."
            raise AnswerProblem("overwrites-its-answers", said)
        return seen

    def judge(self, case: Case, value: object) -> Verdict:
        """Compare with the truth; say which key of which layer is wrong, and which rule would give that."""
        mask, old, layers = case["mask"], case["old"], case["layers"]
        if type(value) is not list or not all(type(one) is list and all(type(n) is int for n in one) for one in value):
            return self.wrong("wrong-shape", "stale should return a list for each layer: the places of its stale keys.")
        wanted = stale_keys(mask, old, layers)
        if value == wanted:
            return self.right("Every stale card found, none thrown away that is still right.")
        if len(value) != layers:
            return self.wrong("wrong-shape", f"Case '{case.label}': {len(value)} lists for {layers} layers.")
        if [sorted(set(one)) for one in value] == wanted:
            return self.wrong("wrong-order", "Each place once, sorted.")
        layer = next(n for n in range(layers) if sorted(value[n]) != wanted[n])
        said = f"Case '{case.label}', layer {layer}: found {value[layer]}, wanted {wanted[layer]}. "
        if any(n >= old for one in value for n in one):
            return self.wrong("counts-new-words", said + f"Only the {old} old words have cards that can go stale.")
        for reason, words, rule in RULES:
            if value == rule(mask, old, layers):
                return self.wrong(reason, said + words)
        if value[0]:
            return self.wrong("first-layer", said + "In layer 0 no neighbour has spoken yet: no card goes stale.")
        missed = [n for n in wanted[layer] if n not in value[layer]]
        if missed:
            return self.wrong("misses-some", said + f"The key of word {missed[0]} does change.")
        return self.wrong("too-many", said + "Some of these cards are still right.")


def _copied(found: list | tuple) -> list[object]:
    """Return the layers as they are now. Raises AnswerProblem for sets, which have no order."""
    if any(isinstance(one, (set, frozenset)) for one in found):
        said = "stale should return a sorted list for each layer, and a set has no order: sorted(…) makes a list of it."
        raise AnswerProblem("wrong-shape", said)
    return [list(one) if isinstance(one, (list, tuple)) else one for one in found]


def _entry(table: Mask, i: int, j: int) -> bool:
    return table[i][j]


def _case(
    label: str, size: int, old: int, layers: int, look: Callable[[int, int], bool], visible: bool = False
) -> Case:
    mask = [[bool(look(i, j)) for j in range(size)] for i in range(size)]
    return Case(label, {"mask": mask, "old": old, "layers": layers}, visible)


def _shifted(mask: Mask, old: int, layers: int) -> list[list[int]]:
    """As if a key were made after its layer's own attention."""
    return stale_keys(mask, old, layers + 1)[1:]


def _turned(mask: Mask, old: int, layers: int) -> list[list[int]]:
    """Rows and columns exchanged."""
    return stale_keys([list(row) for row in zip(*mask, strict=True)], old, layers)


def _direct(mask: Mask, old: int, layers: int) -> list[list[int]]:
    """News is not passed on."""
    first = stale_keys(mask, old, 2)[1]
    return [[], *[first] * (layers - 1)]


def _at_once(mask: Mask, old: int, layers: int) -> list[list[int]]:
    """News goes all the way in the first layer that passes it."""
    far = stale_keys(mask, old, old + 2)[-1]
    return [[], *[far] * (layers - 1)]


def _all_or_nothing(mask: Mask, old: int, layers: int) -> list[list[int]]:
    """One word that looks ahead spoils every card above layer 0."""
    ahead = any(mask[i][j] for i in range(old) for j in range(old, len(mask)))
    return [[], *[list(range(old)) if ahead else []] * (layers - 1)]


def _sweep(mask: Mask, old: int, layers: int) -> list[list[int]]:
    """The set is read while it grows: within a layer news runs on to later words."""
    changed: set[int] = set()
    found = []
    for _ in range(layers):
        found.append(sorted(changed))
        for i in range(old):
            if any(mask[i][j] and (j >= old or j in changed) for j in range(len(mask))):
                changed.add(i)
    return found


RULES: tuple[tuple[str, str, Rule], ...] = (
    ("nothing-goes-stale", "From layer 1 on a key is made of what its word has heard.", lambda m, o, n: [[]] * n),
    ("one-layer-early", "A key is made before its own layer's attention: in layer 0 nobody has spoken.", _shifted),
    ("in-one-sweep", "All words of a layer hear at the same time: don't change the set while you read it.", _sweep),
    ("wrong-axis", "mask[i][j] says that i looks at j. Row and column are exchanged.", _turned),
    ("not-passed-on", "A word that heard of a new one tells it on in the next layer.", _direct),
    ("too-far-at-once", "News travels one look a layer, not all the way at once.", _at_once),
    ("all-or-nothing", "Ask for each word. One that looks ahead does not spoil all others at once.", _all_or_nothing),
)


EXERCISE = StaleKeys()
