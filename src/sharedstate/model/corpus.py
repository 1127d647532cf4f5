"""A text of our own: sentences about a night market from a small grammar, and characters as tokens."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from types import MappingProxyType

import torch
from torch import Tensor

# A rule in braces is replaced by one of its lines, drawn evenly.
RULES = MappingProxyType(
    {
        "sentence": (
            "{when} {seller} {sells}.",
            "{when} the {stall} stall {does}.",
            "{seller} {sells}, and {seller} {sells}.",
            "{guest} asks for {dish} and gets {dish} instead.",
            "{guest} pays {number} coins for {dish}.",
            "two guests call at once, and {seller} serves the wrong one.",
            "{seller} writes {number} on the board, and {seller} wipes it off.",
            "the {stall} stall has {number} lamps and one board.",
            "locker {number} opens for {guest}, who holds no key.",
            "{weather}, so {seller} {sells} under the roof.",
            "{weather}, but the {stall} stall {does}.",
            "nobody knows why locker {number} is empty {when_late}.",
        ),
        "when": ("at dusk", "at night", "before rain", "after nine", "when the lamps are lit"),
        "when_late": ("at midnight", "before dawn", "after the last song"),
        "seller": ("the cook", "the baker", "the fisherman", "the old tailor", "the tea seller"),
        "guest": ("a child", "a sailor", "the drummer", "my neighbour", "a tired clerk"),
        "sells": (
            "sells {dish}",
            "counts {number} coins",
            "stirs the soup",
            "shares one ladle with {seller}",
            "hands {dish} to {guest}",
        ),
        "stall": ("noodle", "lantern", "fruit", "dumpling", "paper", "umbrella"),
        "does": ("opens late", "closes early", "burns its rice", "runs out of bowls", "lends its only knife"),
        "dish": ("hot soup", "fried rice", "sweet beans", "a dumpling", "cold noodles", "plum tea"),
        "number": ("two", "three", "five", "seven", "nine", "twelve"),
        "weather": ("rain falls", "the wind turns", "fog comes in", "the moon is up"),
    }
)
SLOT = re.compile(r"\{(\w+)\}")


def night_market(sentences: int = 600, seed: int = 0) -> str:
    """Return a text of this many sentences, one a line; the same seed gives the same text."""
    own = random.Random(seed)

    def fill(slot: re.Match[str]) -> str:
        return SLOT.sub(fill, own.choice(RULES[slot.group(1)]))

    return "".join(SLOT.sub(fill, "{sentence}") + "\n" for _ in range(sentences))


def known_words() -> frozenset[str]:
    """Return every word that the grammar can write."""
    lines = (line for lines in RULES.values() for line in lines)
    return frozenset(word for line in lines for word in re.findall("[a-z]+", SLOT.sub(" ", line)))


def word_share(text: str) -> float:
    """Return the share of a text's letters that stand in known words, 0 to 1 (the two ends may be cut).

    It is for display: a text that repeats one word scores 1. Judge a model by its last-position loss.
    """
    words = re.findall("[a-z]+", text)[1:-1]
    known, letters = known_words(), sum(map(len, words))
    return sum(len(word) for word in words if word in known) / letters if letters else 0.0


@dataclass(frozen=True)
class Characters:
    """An alphabet: character i of `alphabet` is token i."""

    alphabet: str = "\n ,.abcdefghijklmnopqrstuvwxyz"

    def __len__(self) -> int:
        """The number of tokens, vocab_size."""
        return len(self.alphabet)

    def encode(self, text: str) -> Tensor:
        """Return the tokens of a text, [S]. Raises ValueError, naming it, for a character without a token."""
        unknown = sorted(set(text) - set(self.alphabet))
        if unknown:
            raise ValueError(f"No token for {''.join(unknown)!r}: use characters of {self.alphabet!r}.")
        return torch.tensor([self.alphabet.index(character) for character in text])  # [S]

    def decode(self, tokens: Tensor) -> str:
        """Return the text of tokens [S]."""
        return "".join(self.alphabet[token] for token in tokens.tolist())


def split(tokens: Tensor, share: float = 0.9) -> tuple[Tensor, Tensor]:
    """Return the first `share` of tokens [N] for training and the rest for validation."""
    cut = int(len(tokens) * share)
    return tokens[:cut], tokens[cut:]  # [cut], [N - cut]
