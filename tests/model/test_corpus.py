"""The text of our own: the same everywhere, of the stated size, with a token for every character."""

from __future__ import annotations

import hashlib

import pytest
import torch

from sharedstate.model import Characters, known_words, night_market, split, word_share

# When this changes, the checkpoints were trained on another text: make them again.
TEXT = "f771af64383bc844"


def test_the_text_is_the_one_that_the_checkpoints_learned() -> None:
    assert hashlib.sha256(night_market().encode()).hexdigest()[:16] == TEXT
    assert 20_000 < len(night_market()) < 40_000
    assert night_market(seed=1) != night_market()


def test_every_sentence_is_whole() -> None:
    lines = night_market(200, seed=4).splitlines()
    assert len(lines) == 200
    assert all(line.endswith(".") and "{" not in line and "  " not in line for line in lines)


def test_characters_are_tokens_and_back() -> None:
    characters, text = Characters(), night_market(20)
    tokens = characters.encode(text)
    assert characters.decode(tokens) == text
    assert (len(characters), tokens.dtype) == (30, torch.int64)
    assert int(tokens.max()) < len(characters)
    with pytest.raises(ValueError, match="No token for '!A'"):
        characters.encode("A fish!")


def test_words_are_recognised_and_garbage_is_not() -> None:
    assert word_share(night_market(10)) == 1.0
    assert word_share("xqz the cook zzzz qq") == pytest.approx(7 / 11)
    assert word_share("xx tlhe qzerty aolk xx") == 0.0
    assert word_share("====") == 0.0
    assert {"noodle", "lantern", "ladle"} <= known_words()
    assert not {"number", "sells_"} <= known_words()


def test_training_and_validation_text_do_not_overlap() -> None:
    train, rest = split(torch.arange(100), 0.9)
    assert (train.tolist(), rest.tolist()) == (list(range(90)), list(range(90, 100)))
