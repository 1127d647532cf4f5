"""Lab 03: every exercise's judge says the right thing, whatever it is sent."""

from __future__ import annotations

import builtins
import importlib
import os
import random
from hashlib import sha256

import numpy as np
import pytest
import torch

from sharedstate.checks import Registry, assess, exercise, exercises
from sharedstate.passcodes import SYMBOLS as LIBRARYS
from sharedstate.passcodes import generate, passcode_at

BATCH, HUNT, NUMBER, FOLD = (Registry().room(f"03.{number}").module() for number in (1, 2, 3, 4))
SEEDING = importlib.import_module("sharedstate_course.u03.seeding")
ALIKE = SEEDING.ALIKE
Memory, another_process, asks_for_its_hash = HUNT.Memory, HUNT.another_process, HUNT.asks_for_its_hash
global_state, watched = NUMBER.global_state, NUMBER.watched
SYMBOLS = FOLD.SYMBOLS
JUNK = (
    None, 7, "yes", [], [1], ["a"] * 6, {}, [None, None], [[True, False]], [["x"], ["y"]],
    {"batches": [], "global": False}, {"batches": [["a" * 16] * 5], "global": False}, {"codes": [1], "global": False},
    {"codes": ["a" * 16] * 3, "global": False}, {"whole": [], "alone": [], "looks": 0},
    {"whole": [1], "alone": [[1]] * 256, "looks": 0}, {"whole": None, "alone": [[97]] * 256, "looks": 0},
    [[[1, 2, 3, 4]]], [[[-1, 2, 3, 4]] * 5] * 2, [[[1.0, 2, 3, 4]] * 5] * 2,
)  # fmt: skip
each = pytest.mark.parametrize("one", exercises("03"), ids=lambda one: one.id)


@each
def test_an_empty_function_is_called_untouched_too(one: object) -> None:
    def empty(*arguments: object) -> None:
        """Return nothing."""

    assert assess(one, (empty, empty) if one.id == "03.5" else empty).reason == "untouched"


@each
@pytest.mark.parametrize("value", JUNK, ids=lambda value: repr(value)[:40])
def test_no_value_that_a_child_may_send_is_accepted_or_breaks_the_judge(one: object, value: object) -> None:
    assert not any(one.judge(case, value).ok for case in one.cases(3))


@pytest.mark.parametrize("seed", range(4))
def test_the_packages_own_generator_is_a_right_answer(seed: int) -> None:
    def batch(master: int, unit: int, count: int) -> list[str]:
        return [code.decode() for code in generate(count, seed=master, unit=unit).tolist()]

    assert assess(exercise("03.1"), batch, seed).ok
    assert assess(exercise("03.3"), lambda seed, k: passcode_at(k, seed).decode(), seed).ok


def test_a_helper_that_hashes_is_found_as_well() -> None:
    names = {"__name__": "answer"}
    exec("def mixed(a, b):\n    return hash(f'{a}:{b}')\n\ndef derive(m, u):\n    return mixed(m, u)", names)
    assert assess(exercise("03.2"), names["derive"]).reason == "hash-changes"


def test_a_default_of_a_keyword_is_kept() -> None:
    def derive(master: int, unit: int, *, tag: str = "passcodes") -> str:
        return f"{tag}:{master}:{unit}"

    assert assess(exercise("03.2"), derive).ok


def test_a_digest_is_not_taken_for_hash() -> None:
    assert assess(exercise("03.2"), lambda m, u: sha256(f"{m}|{u}".encode()).digest()).ok


def test_the_message_names_two_pairs_that_meet() -> None:
    verdict = assess(exercise("03.2"), lambda master, unit: master + unit)
    assert verdict.reason == "same-sum" and "(0, 1) and (1, 0)" in verdict.message


def test_who_makes_all_units_before_is_told_to_name_the_unit() -> None:
    def derive(master: int, unit: int) -> np.random.SeedSequence:
        return np.random.SeedSequence(master).spawn(unit + 1)[unit]

    verdict = assess(exercise("03.2"), derive, 1, seconds=0.5)
    assert verdict.reason == "timeout" and "spawn_key" in verdict.message


def test_who_walks_is_told_that_predecessors_are_not_needed() -> None:
    def passcode(seed: int, k: int) -> str:
        rng = random.Random(seed)
        return ["".join(rng.choices(SYMBOLS, k=16)) for _ in range(k + 1)][-1]

    verdict = assess(exercise("03.3"), passcode, 1, seconds=0.5)
    assert verdict.reason == "timeout" and "predecessors" in verdict.message


@pytest.mark.parametrize(("number", "answer"), [
    ("03.1", lambda m, u, n: [f"{hash((m, u)) % 10**16:016}"] * n), ("03.2", lambda m, u: hash((m, u))),
    ("03.3", lambda seed, k: f"{hash((seed, k)) % 10**16:016}")])
def test_the_hash_of_numbers_is_not_said_to_change_with_the_process(number: str, answer: object) -> None:
    judge, run = exercise(number), [case for case in exercise(number).cases(1) if "process" in case.label]
    verdict = judge.judge(run[0], judge.run(answer, run[0]))
    assert not verdict.ok and "hash(-1) == hash(-2)" in verdict.message and hash(-1) == hash(-2)


def test_pairs_said_to_seed_alike_do() -> None:
    state = {shift: [[random.Random(m << shift | u).getrandbits(128) for m, u in group] for group in ALIKE[:3]]
             for shift in (64, 96, 128)}
    assert all(len(set(state[shift][number])) < len(state[shift][number]) for number, shift in enumerate(state))
    assert len({random.Random(m << 64 | u).random() for m, u in ALIKE[3]}) == 1
    assert random.Random(7).getstate() == random.Random(6 << 32 | 7).getstate()


@pytest.mark.parametrize(("seed_of", "meets"), [
    (lambda m, u: m << 64 | u, True), (lambda m, u: m << 48 | u, True), (lambda m, u: u << 63 | m, True),
    (lambda m, u: m * 10**10 + u, True), (lambda m, u: m + 999_983 * u + 5, True), (lambda m, u: m, True),
    (lambda m, u: m << 96 | u, False), (lambda m, u: f"{m}:{u}", False), (lambda m, u: hash((m, u)), False),
], ids=["<< 64", "<< 48", "<< 63", "10**10", "a prime", "master alone", "<< 96", "text", "hash"])
def test_pairs_that_meet_are_found_from_a_formula_of_seeds(seed_of: object, meets: bool) -> None:
    pairs = SEEDING.meeting(seed_of, 2**32, 2**32)
    assert bool(pairs) is meets
    if pairs:
        one, two = (random.Random(seed_of(*pair)).getrandbits(128) for pair in pairs)
        assert pairs[0] != pairs[1] and one == two and max(map(max, pairs)) < 2**32


def test_a_seed_is_noted_by_whichever_name_it_goes() -> None:
    names = {"__name__": "answer"}
    exec("from numpy.random import default_rng, PCG64, SeedSequence\nimport numpy as np\n"
         "def draw(n):\n    return [default_rng(n).random(), np.random.Generator(PCG64(n)).random(),\n"
         "            default_rng(SeedSequence(n)).random(), np.random.RandomState(n).rand()]", names)
    before = names["draw"](5)
    with SEEDING.seeds_noted(names["draw"]) as noted:
        assert names["draw"](5) == before
    assert noted == [5] * 5 and names["draw"](5) == before and len(noted) == 5
    assert not isinstance(names["default_rng"], type(names["draw"]))


def test_torch_uses_32_bits_of_its_seed_and_that_is_noted() -> None:
    def batch(master: int, unit: int, count: int) -> list[str]:
        seed = int.from_bytes(sha256(f"{master}:{unit}".encode()).digest()[:7], "big")
        draw = torch.Generator().manual_seed(seed)
        return ["".join(SYMBOLS[int(n)] for n in torch.randint(62, (16,), generator=draw)) for _ in range(count)]

    assert assess(exercise("03.1"), batch).reason == "too-narrow"


def test_the_modules_generator_is_left_as_it_was() -> None:
    before = random.getstate()
    assess(exercise("03.1"), lambda master, unit, count: random.seed(1) or [])
    assess(exercise("03.5"), (lambda master, workers: [random.seed(2)] * workers, lambda job, count: [1]))
    assert random.getstate() == before


def test_a_forked_child_has_the_parents_hidden_generator() -> None:
    def plan(master: int, workers: int) -> list[int]:
        random.seed(master)
        return list(range(workers))

    verdict = assess(exercise("03.5"), (plan, lambda job, count: [random.getrandbits(32) for _ in range(count)]))
    assert verdict.reason == "copies"


@pytest.mark.parametrize("limit", [62, 124, 186, 247, 249, 256])
def test_only_248_bytes_fold_evenly_and_without_waste(limit: int) -> None:
    def fold(raw: np.ndarray, codes: np.ndarray) -> np.ndarray:
        return codes[raw[raw < (limit if len(codes) == 62 else 256 - 256 % len(codes))] % len(codes)]

    assert assess(exercise("03.4"), fold).reason in ("biased", "wasteful")


def test_evenness_is_seen_and_missed_where_it_should_be() -> None:
    draw = random.Random(1)
    fair = ["".join(draw.choices(SYMBOLS, k=16)) for _ in range(2000)]
    assert not BATCH.bias(fair)
    assert BATCH.bias(["".join(SYMBOLS[byte % 62] for byte in draw.randbytes(16)) for _ in range(2000)])
    assert BATCH.bias([code[:15] + "a" for code in fair])
    assert SYMBOLS == LIBRARYS


# --- asked again: a memory taken back, another process, everybody's generators watched


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
