"""What lab 03 uses to ask again: a memory taken back, another process, everybody's generators watched."""

from __future__ import annotations

import builtins
import os
import random

import numpy as np
import pytest

from sharedstate.checks import Registry

HUNT, NUMBER = (Registry().room(name).module() for name in ("03.2", "03.3"))
Memory, another_process, asks_for_its_hash = HUNT.Memory, HUNT.another_process, HUNT.asks_for_its_hash
global_state, watched = NUMBER.global_state, NUMBER.watched
FORMS = {
    "global list": "seen = []\ndef answer():\n    seen.append(1)\n    return len(seen)",
    "global number": "n = 0\ndef answer():\n    global n\n    n += 1\n    return n",
    "new global": "def answer():\n    global n\n    n = globals().get('n', 0) + 1\n    return n",
    "default": "def answer(seen={}):\n    seen[len(seen)] = 1\n    return len(seen)",
    "keyword default": "def answer(*, seen=set()):\n    seen.add(len(seen))\n    return len(seen)",
    "closure": "def make():\n    n = 0\n    def answer():\n        nonlocal n\n        n += 1\n        return n\n"
               "    return answer\nanswer = make()",
    "attribute of the function": "def answer():\n    answer.n += 1\n    return answer.n\nanswer.n = 0",
    "class attribute": "class Box:\n    n = 0\ndef answer():\n    Box.n += 1\n    return Box.n",
    "list in a class": "class Box:\n    seen = []\ndef answer():\n    Box.seen.append(1)\n    return len(Box.seen)",
    "object": "class Box:\n    def __init__(self):\n        self.n = 0\n    def __call__(self):\n        self.n += 1\n"
              "        return self.n\nanswer = Box()",
    "method": "class Box:\n    n = 0\n    def more(self):\n        self.n += 1\n        return self.n\n"
              "answer = Box().more",
    "list in a dict": "seen = {'all': []}\ndef answer():\n    seen['all'].append(1)\n    return len(seen['all'])",
    "generator": "import random\nrng = random.Random(1)\ndef answer():\n    return rng.random()",
    "numpy's generator": "import numpy as np\nrng = np.random.default_rng(1)\ndef answer():\n    return rng.random()",
    "helper": "seen = []\ndef note():\n    seen.append(1)\ndef answer():\n    note()\n    return len(seen)",
    "cache": "from functools import cache\nimport itertools\ncalls = []\n@cache\ndef kept(n):\n    calls.append(n)\n"
             "    return len(calls)\ndef answer():\n    return kept(0)",
}


def made(source: str) -> object:
    names: dict[str, object] = {"__name__": "answer"}
    exec(source, names)
    return names["answer"]


@pytest.mark.parametrize("source", FORMS.values(), ids=FORMS)
def test_every_way_to_remember_is_seen_and_taken_back(source: str) -> None:
    answer = made(source)
    memory = Memory(answer)
    assert not memory.changed()
    first = answer()
    assert memory.changed() and memory.moved() is ("rng" in source)
    memory.rewind()
    assert not memory.changed() and answer() == first


def test_a_function_that_keeps_nothing_has_changed_nothing() -> None:
    answer = made("import random\ndef answer():\n    return random.Random(1).random()")
    memory = Memory(answer)
    answer()
    assert not memory.changed() and not memory.moved()


def test_another_process_has_another_hash_and_number_and_leaves_nothing() -> None:
    answer = made("import os\ndef answer():\n    return hash('a'), os.getpid()")
    seen = []
    for number in (1, 2):
        with another_process(number, answer):
            seen.append(answer())
    assert len({row[0] for row in seen}) == len({row[1] for row in seen}) == 2
    assert answer() == (builtins.hash("a"), os.getpid()) and "hash" not in answer.__globals__


def test_a_hash_of_ones_own_is_put_back() -> None:
    answer = made("def hash(thing):\n    return 7\ndef answer():\n    return hash('a')")
    with another_process(1, answer):
        assert answer() != 7
    assert answer() == 7


def test_a_call_of_a_texts_own_hash_is_seen() -> None:
    assert asks_for_its_hash(lambda text: text.__hash__()) and not asks_for_its_hash(lambda text: len(text))


def borrow() -> None:
    before = random.getstate()
    random.seed(1)
    random.setstate(before)


def borrow_numpys() -> None:
    before = np.random.get_state()
    np.random.seed(1)
    np.random.set_state(before)


@pytest.mark.parametrize("use", [borrow, borrow_numpys, random.random, lambda: random.choice("ab")])
def test_every_use_of_everybodys_generators_is_seen(use: object) -> None:
    with global_state(1), watched() as used:
        use()
    assert used


def test_a_generator_of_ones_own_is_nobodys_business() -> None:
    with watched() as used:
        random.Random(1).choice("ab")
        np.random.default_rng(1).integers(3)
    assert not used


def test_both_hidden_generators_are_left_as_they_were() -> None:
    random.seed(5), np.random.seed(5)
    before = random.getstate(), repr(np.random.get_state())
    with global_state(3):
        random.random(), np.random.random()
    assert (random.getstate(), repr(np.random.get_state())) == before
