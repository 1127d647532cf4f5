"""Passcodes in batches: unbiased, the same however they are asked for, and unique where that is promised."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from sharedstate.passcodes import (
    SYMBOLS,
    DuplicatePasscode,
    duplicates,
    generate,
    generate_checked,
    generate_unique,
    join,
    passcode_at,
)
from sharedstate.passcodes.alphabet import Recipe
from sharedstate.passcodes.streams import stream_key

PRINTABLE = "".join(chr(code) for code in range(33, 127))
SHAPES = ((16, SYMBOLS), (1, SYMBOLS), (7, SYMBOLS), (10, "ab"), (5, "abc"), (33, PRINTABLE), (9, PRINTABLE[:61]))
shapes = pytest.mark.parametrize(("length", "alphabet"), SHAPES, ids=[f"{n} of {len(a)}" for n, a in SHAPES])

KNOWN = [b"MqnO6IcotwMHi5AU", b"o18DH68Clds1UHPq", b"cOyTcqWcJNil1N0A"]
KNOWN_FAR = b"4hCqgwR6AYzohlfc"


def chi_square(counts: Counter[int], bins: int) -> float:
    """Pearson's statistic against equal chances."""
    expected = sum(counts.values()) / bins
    return sum((counts[each] - expected) ** 2 / expected for each in range(bins))


@shapes
def test_shape_and_symbols(length: int, alphabet: str) -> None:
    batch = generate(500, length, alphabet, seed=3)
    assert batch.shape == (500,) and batch.dtype == f"S{length}"
    assert all(len(code) == length and set(code.decode()) <= set(alphabet) for code in batch.tolist())


@shapes
def test_a_passcode_is_the_same_alone_in_a_batch_and_in_another_batch(length: int, alphabet: str) -> None:
    large = generate(3000, length, alphabet, seed=9, unit=2)
    assert all(passcode_at(k, 9, 2, length, alphabet) == large[k] for k in range(0, 3000, 53))
    assert (generate(200, length, alphabet, 9, 2) == large[:200]).all()
    assert (generate(1000, length, alphabet, 9, 2, start=1777) == large[1777:2777]).all()


def test_these_very_passcodes_stay_the_same_for_good() -> None:
    assert generate(3, seed=2026, unit=5).tolist() == KNOWN
    assert passcode_at(10**12, 2026, 5) == KNOWN_FAR


def test_units_give_the_same_streams_in_any_order_and_any_number_of_threads() -> None:
    alone = [generate(2000, seed=11, unit=unit) for unit in range(16)]
    order = list(range(16))
    random.Random(4).shuffle(order)
    for threads in (1, 3, 16):
        with ThreadPoolExecutor(threads) as pool:
            futures = {unit: pool.submit(generate, 2000, seed=11, unit=unit) for unit in order}
        assert all((futures[unit].result() == alone[unit]).all() for unit in range(16))


def test_no_two_streams_are_equal_where_simple_sums_collide() -> None:
    keys = {tuple(stream_key(master, unit)) for master in range(100) for unit in range(16)}
    assert len(keys) == 1600
    assert len({seed + unit for seed in range(100) for unit in range(16)}) == 115, "what the test would see"


@pytest.mark.parametrize("alphabet", ["ab", "abc", SYMBOLS, PRINTABLE, PRINTABLE[:91]], ids=len)
def test_every_symbol_is_equally_likely_at_every_place(alphabet: str) -> None:
    table = generate(60_000, 4, alphabet, seed=1).view(np.uint8).reshape(-1, 4)
    bound = len(alphabet) + 6 * (2 * len(alphabet)) ** 0.5  # six standard deviations above the mean
    for place in range(4):
        counts = Counter(alphabet.index(chr(code)) for code in table[:, place].tolist())
        assert chi_square(counts, len(alphabet)) < bound


def test_that_test_sees_the_modulo_bias() -> None:
    folded = random.Random(1).randbytes(60_000)
    assert chi_square(Counter(byte % 62 for byte in folded), 62) > 62 + 6 * 124**0.5


def test_replaced_words_are_as_good_as_the_others() -> None:
    recipe = Recipe(8, PRINTABLE[:91])  # 8281 pairs: 11.5 percent of the words are rejected
    pairs = generate(40_000, 8, recipe.alphabet, seed=6).view("S2")
    place = {bytes([a, b]): 91 * i + j for i, a in enumerate(recipe.codes()) for j, b in enumerate(recipe.codes())}
    counts = Counter(place[pair] for pair in pairs.tolist())
    assert chi_square(counts, 8281) < 8281 + 6 * (2 * 8281) ** 0.5


@pytest.mark.parametrize(("length", "alphabet", "count"), [(10, "ab", 1000), (10, "ab", 1024), (6, "xyz", 729),
                                                           (1, SYMBOLS, 62), (2, PRINTABLE, 8836)])  # fmt: skip
def test_unique_by_construction_up_to_the_very_last(length: int, alphabet: str, count: int) -> None:
    batch = generate_unique(count, length, alphabet, seed=8)
    assert len(set(batch.tolist())) == count
    assert all(len(code) == length and set(code.decode()) <= set(alphabet) for code in batch.tolist())


@pytest.mark.parametrize("units", [1, 3, 16])
def test_unique_across_units_and_the_same_for_any_start(units: int) -> None:
    each = 1024 // units
    parts = [generate_unique(each, 10, "ab", seed=8, unit=unit, units=units) for unit in range(units)]
    assert len(set(join(parts).tolist())) == each * units
    assert (generate_unique(5, 10, "ab", 8, units - 1, units, start=each - 5) == parts[-1][-5:]).all()


def test_unique_passcodes_do_not_count_up() -> None:
    batch = generate_unique(20_000, seed=3).view(np.uint8).reshape(-1, 16)
    for place in range(16):
        counts = Counter(SYMBOLS.index(chr(code)) for code in batch[:, place].tolist())
        assert chi_square(counts, 62) < 62 + 6 * 124**0.5
    assert not (generate_unique(100, seed=3) == generate_unique(100, seed=4)).any()


def test_unique_and_long_keeps_a_unique_head() -> None:
    batch = generate_unique(3000, 40, SYMBOLS, seed=3)
    assert batch.dtype == "S40" and len({code[:20] for code in batch.tolist()}) == 3000


def test_checked_where_the_units_join() -> None:
    units = generate_checked(1000, 10, "ab", seed=1)
    assert duplicates(units[0]) == 0 and len(units[0]) == 1000
    four = generate_checked(250, 10, "ab", seed=1, units=4)
    assert len(join(four)) == 1000
    assert (four[0] == generate_checked(250, 10, "ab", seed=1)[0]).all(), "later units give way, not unit 0"
    plain = generate(100, seed=5, unit=1)
    assert (generate_checked(100, seed=5, units=2)[1] == plain).all(), "without a clash nothing changes"


def test_the_join_names_the_duplicate_and_both_places() -> None:
    one, two = np.array([b"aa", b"bb"]), np.array([b"cc", b"dd", b"bb"])
    with pytest.raises(DuplicatePasscode, match="bb is there twice: unit 0, number 1 and unit 1, number 2"):
        join([one, two])
    with pytest.raises(DuplicatePasscode, match="unit 0, number 0 and unit 0, number 1"):
        join([np.array([b"x", b"x"])])
    assert duplicates(np.array([b"x", b"y", b"x", b"x"])) == 2


@pytest.mark.parametrize("wanted", [
    lambda: generate_unique(1025, 10, "ab"), lambda: generate_unique(65, 10, "ab", unit=0, units=16),
    lambda: generate_unique(1, 10, "ab", start=1024), lambda: generate_checked(1025, 10, "ab"),
    lambda: generate_checked(257, 10, "ab", units=4),
])  # fmt: skip
def test_what_is_impossible_is_refused(wanted: object) -> None:
    with pytest.raises(ValueError, match="give only 1,024: ask for fewer"):
        wanted()


@pytest.mark.parametrize(("arguments", "error"), [
    ({"count": -1}, ValueError), ({"count": 1.0}, TypeError), ({"count": True}, TypeError),
    ({"length": 0}, ValueError), ({"length": 10**6}, ValueError), ({"alphabet": "a"}, ValueError),
    ({"alphabet": "aba"}, ValueError), ({"alphabet": "aé"}, ValueError), ({"alphabet": "a b"}, ValueError),
    ({"alphabet": ["a", "b"]}, TypeError), ({"seed": -5}, ValueError), ({"seed": [7, 0]}, TypeError),
    ({"seed": 2**128}, ValueError), ({"unit": 2**32}, ValueError), ({"unit": -1}, ValueError),
    ({"seed": "7"}, TypeError), ({"start": -1}, ValueError), ({"start": None}, TypeError),
])  # fmt: skip
def test_bad_input_is_named(arguments: dict, error: type) -> None:
    with pytest.raises(error, match=next(iter(arguments))):
        generate(**{"count": 3, **arguments})


def test_an_index_too_large_to_count_is_refused() -> None:
    with pytest.raises(ValueError, match=r"last index.* between 0 and 2\*\*63"):
        generate_unique(1, start=2**50, unit=5, units=2**20)
    with pytest.raises(ValueError, match=r"start is .* between 0 and 2\*\*53"):
        passcode_at(2**60)
    with pytest.raises(ValueError, match=r"seed is .* between 0 and 2\*\*128 - 1"):
        passcode_at(0, seed=2**128)
    assert len({passcode_at(2**53 - k) for k in range(1, 20)}) == 19


def test_no_request_at_all_is_an_empty_batch() -> None:
    assert generate(0).shape == generate_unique(0).shape == (0,)
    with pytest.raises(ValueError, match="nothing to join"):
        join([])


def test_it_says_that_these_are_no_secrets() -> None:
    for function in (generate, passcode_at):
        assert "test data" in function.__doc__ and "secrets" in function.__doc__


def test_numpy_is_loaded_on_demand() -> None:
    code = "import sys, sharedstate.passcodes as p\nassert 'numpy' not in sys.modules\np.generate(1)"
    subprocess.run([sys.executable, "-c", code], check=True)
