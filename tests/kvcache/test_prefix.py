"""Prefix keys: for every factor and every pair of factors, the same hits and another misses; and the index."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from sharedstate.kvcache import BlockPool, BlockTable
from sharedstate.kvcache.prefix import Factors, Image, PrefixIndex, PrefixKeys, encoded, fragmentation

SIZE = 4
TOKENS = (1, 2, 3, 4, 5, 6, 7, 8, 9)
CAT, DOG = Image(b"cat", 1, 2), Image(b"dog", 1, 2)
PLAIN = Factors("llama", "law", "acme", 0, b"warm", (CAT,))
# each factor with another value; "tokens" is no part of Factors
OTHERS = {
    "tokens": (1, 2, 3, 9, *TOKENS[4:]),
    "model": "llama-2",
    "adapter": "medicine",
    "tenant": "globex",
    "first_position": 3,
    "state": b"cold",
    "images": (DOG,),
}
NONE = {"model": "", "adapter": None, "tenant": None, "first_position": 1, "state": None, "images": ()}


def changed(*names: str, values: dict[str, object] = OTHERS) -> tuple[tuple[int, ...], Factors]:
    tokens = values.get("tokens", TOKENS) if "tokens" in names else TOKENS
    return tokens, replace(PLAIN, **{name: values[name] for name in names if name != "tokens"})  # type: ignore[return-value]


def found(keys: PrefixKeys, first: tuple, second: tuple) -> int:
    """How many tokens the second prompt finds of the first, which has been published."""
    pool = BlockPool(8, SIZE)
    index = PrefixIndex(pool, keys)
    table, chain = BlockTable(pool), index.chain(*first)
    table.append(len(first[0]))
    index.publish(table, chain, len(first[0]))
    index.check()
    return index.match(index.chain(*second)).num_tokens


PAIRS = [*((name,) for name in OTHERS), *combinations(OTHERS, 2)]


@pytest.mark.parametrize("names", PAIRS, ids="+".join)
def test_the_same_hits_and_another_misses_for_every_factor_and_pair(names: tuple[str, ...]) -> None:
    keys, plain, other = PrefixKeys(b"secret"), changed(), changed(*names)
    assert found(keys, plain, plain) == found(keys, other, other) == 8
    assert found(keys, plain, other) == found(keys, other, plain) == 0


@pytest.mark.parametrize("names", [*((n,) for n in NONE), *combinations(NONE, 2)], ids="+".join)
def test_a_factor_that_is_absent_is_not_one_that_is_there(names: tuple[str, ...]) -> None:
    keys, plain, none = PrefixKeys(b"secret"), changed(), changed(*names, values=NONE)
    assert found(keys, none, none) == 8 and found(keys, plain, none) == found(keys, none, plain) == 0


def test_one_value_under_two_names_is_two_things() -> None:
    keys = PrefixKeys(b"secret")
    roots = {keys.root(factors) for factors in (
        Factors(model="x"), Factors(adapter="x"), Factors(tenant="x"), Factors(adapter=""), Factors(),
        Factors(model="x", adapter="y"), Factors(model="y", adapter="x"), Factors(model="xy"))}  # fmt: skip
    assert len(roots) == 8


def test_sharing_ends_at_the_first_block_that_differs_and_never_takes_the_last_token() -> None:
    keys = PrefixKeys(b"secret")
    long = tuple(range(20))
    assert found(keys, (long,), (long,)) == 16  # 20 tokens are five blocks; the last is computed anew
    assert found(keys, (long,), (long[:16],)) == 12
    assert found(keys, (long,), ((*long[:9], 99, *long[10:]),)) == 8
    assert found(keys, (long,), ((99, *long),)) == 0
    assert found(keys, (long[4:],), (long,)) == 0  # the same block behind another prefix


def test_an_image_counts_in_the_blocks_that_hold_it_and_by_its_place_there() -> None:
    keys, tokens = PrefixKeys(b"secret"), (0,) * 13
    late, dog = Factors(images=(Image(b"cat", 5, 2),)), Factors(images=(Image(b"dog", 5, 2),))
    assert found(keys, (tokens, late), (tokens, dog)) == 4
    assert found(keys, (tokens, late), (tokens, Factors(images=(Image(b"cat", 6, 1),)))) == 4
    two = Factors(images=(Image(b"cat", 1, 1), Image(b"dog", 2, 1)))
    swapped = Factors(images=(Image(b"dog", 1, 1), Image(b"cat", 2, 1)))
    assert found(keys, (tokens, two), (tokens, swapped)) == 0
    assert found(keys, (tokens, two), (tokens, Factors(images=two.images[::-1]))) == 12


def test_tenants_share_inside_their_group_and_nobody_can_name_himself_into_one() -> None:
    keys = PrefixKeys(b"secret", groups={"ann": "law", "bob": "law", "eve": "press"})
    ask = lambda one, two: found(keys, (TOKENS, Factors(tenant=one)), (TOKENS, Factors(tenant=two)))  # noqa: E731
    assert ask("ann", "bob") == 8 and ask("ann", "eve") == ask("ann", "law") == ask("ann", None) == 0


def test_another_secret_gives_other_hashes_and_none_is_drawn_twice() -> None:
    one, two = PrefixKeys(b"one").chain(TOKENS, SIZE).hashes, PrefixKeys(b"two").chain(TOKENS, SIZE).hashes
    assert not set(one) & set(two) and one == PrefixKeys(b"one").chain(TOKENS, SIZE).hashes
    assert PrefixKeys().root(Factors()) != PrefixKeys().root(Factors())
    with pytest.raises(ValueError, match="1 to 64 bytes"):
        PrefixKeys(b"")


def test_a_chain_grows_with_the_answer_as_if_it_had_been_there_at_once() -> None:
    keys = PrefixKeys(b"secret")
    grown = keys.chain(TOKENS[:3], SIZE, PLAIN)
    for token in TOKENS[3:]:
        grown.extend([token])
    assert grown.hashes == keys.chain(TOKENS, SIZE, PLAIN).hashes and len(grown.hashes) == 2


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (("a", "b"), ("ab",)), (("a",), "a"), (1, "1"), (b"a", "a"), ((1, 2), (12,)),
        ((), None), (("a", ("b",)), ("a", "b")),
    ],
)  # fmt: skip
def test_no_two_values_have_one_encoding(one: object, two: object) -> None:
    assert encoded(one) != encoded(two)


@pytest.mark.parametrize("value", [True, 1.0, [1], {"a": 1}])
def test_what_has_no_one_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="A key is made of"):
        encoded(value)


@pytest.mark.parametrize("bad", [("cat", 0, 1), (b"cat", -1, 1), (b"cat", 0, 0)])
def test_an_image_has_content_and_a_place(bad: tuple) -> None:
    with pytest.raises(ValueError, match="An image is its bytes"):
        Image(*bad)


# --- weak hashes: a hit is believed only after a look


def weak(key: bytes, data: bytes) -> bytes:
    """One byte: the sum of all."""
    return bytes([sum(data) % 256])


def test_a_collision_is_a_miss_and_is_counted() -> None:
    pool = BlockPool(8, SIZE)
    index = PrefixIndex(pool, PrefixKeys(b"x", digest=weak))
    table = BlockTable(pool)
    table.append(4)
    one, two = index.chain((1, 2, 3, 4, 0)), index.chain((4, 3, 2, 1, 0))
    assert one.hashes == two.hashes
    index.publish(table, one, 4)
    assert index.match(one).blocks == (1,) and index.match(two).blocks == ()
    assert index.monitor.collisions == 1


def test_a_child_is_not_found_behind_another_parent_of_the_same_hash() -> None:
    pool = BlockPool(16, SIZE)
    index = PrefixIndex(pool, PrefixKeys(b"x", digest=weak))
    tables, chains = [BlockTable(pool) for _ in "ab"], [
        index.chain((1, 2, 3, 4, 7, 7, 7, 7, 0)), index.chain((4, 3, 2, 1, 7, 7, 7, 7, 0))]  # fmt: skip
    for table in tables:
        table.append(9)
    index.publish(tables[0], chains[0], 8)
    index.publish(tables[1], chains[1], 8)
    assert index.match(chains[1]).blocks == () and len(index) == 2
    pool.forget(tables[0].blocks[0])  # the first parent is evicted, and the other one comes
    index.publish(tables[1], chains[1], 4)
    assert index.match(chains[1]).blocks == (tables[1].blocks[0],)
    index.publish(tables[1], chains[1], 8)
    assert index.match(chains[1]).blocks == tuple(tables[1].blocks[:2])
    index.check()


@pytest.mark.parametrize("factor", ["model", "adapter", "tenant", "first_position", "images"])
def test_with_a_hash_that_says_nothing_the_look_still_tells_all_factors_apart(factor: str) -> None:
    keys = PrefixKeys(b"x", digest=lambda key, data: b"0")
    tokens = TOKENS[:5]
    assert found(keys, (tokens, PLAIN), (tokens, PLAIN)) == 4
    assert found(keys, (tokens, PLAIN), (tokens, replace(PLAIN, **{factor: OTHERS[factor]}))) == 0


# --- the index


def test_only_what_is_written_is_published() -> None:
    pool = BlockPool(8, SIZE)
    index, table = PrefixIndex(pool), BlockTable(pool)
    chain = index.chain(TOKENS)
    table.append(9)
    index.publish(table, chain, 7)
    assert len(index) == 1 and index.match(chain).num_tokens == 4
    with pytest.raises(ValueError, match="10 tokens computed, and the table has 9"):
        index.publish(table, chain, 10)


def test_what_nobody_uses_is_found_until_it_is_given_out_the_end_of_the_prefix_first() -> None:
    pool = BlockPool(5, SIZE)
    index, table = PrefixIndex(pool), BlockTable(pool)
    chain = index.chain((*TOKENS[:8], 0))
    table.append(8)
    index.publish(table, chain, 8)
    table.free()
    assert index.match(chain).num_tokens == 8 and pool.num_free == 4
    other = BlockTable(pool)
    other.append(12)
    assert index.match(chain).num_tokens == 4 and index.monitor.evicted == 1
    again = BlockTable(pool)
    again.adopt(index.match(chain).blocks)
    pool.check([other, again]), index.check()


def test_a_second_index_is_refused() -> None:
    pool = BlockPool(4)
    PrefixIndex(pool)
    with pytest.raises(ValueError, match="has an index already"):
        PrefixIndex(pool)


def test_the_monitors_count_tokens() -> None:
    pool = BlockPool(16, SIZE)
    index, tables = PrefixIndex(pool), []
    for _ in range(3):
        chain, table = index.chain((*TOKENS[:8], 1, 2)), BlockTable(pool)
        table.adopt(index.match(chain).blocks)
        table.append(10 - table.num_tokens)
        index.publish(table, chain, 10)
        tables.append(table)
    assert index.monitor.hit_rate == 16 / 30 and index.saved_tokens() == 16
    assert fragmentation(tables) == 1 - (8 + 3 * 2) / (4 * 5) and fragmentation([]) == 0
