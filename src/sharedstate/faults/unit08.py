"""The faults of unit 08: blocks with two owners, keys that say too little, and an allocator with a race.

Engines and caches of the lesson are played in the stories of kvcache/block_cases.py: the smallest that shows the bug,
and a near one in which it is silent. The allocator's races are forced by the explorer. Nothing is left to chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sharedstate.faults.table import Fault, Names, Probe

UNIT = "08_paged_blocks"
ORDERS = "no block is lost, shared or read unwritten, over all orders of two threads' steps"
SERIAL = "the same program, one thread after the other"


@dataclass(frozen=True)
class Bug:
    """One bug of an engine: its class in the lesson, the oracles besides "alone" that see it, and what its fix does."""

    variant: str
    oracles: tuple[str, ...]
    fix: str


BUGS: Mapping[str, Bug] = MappingProxyType(
    {
        "share-no-copy": Bug("WritesInPlace", ("owner tag",), "a shared block is copied before it is written"),
        "block-hash-no-parent": Bug("NoParent", ("neighbour",), "the hash covers its parent's, and a hit is verified"),
        "KEY-01": Bug("TokensOnly", ("neighbour",), "the adapter is a tagged part of the key"),
        "KEY-02": Bug("NoPicture", ("neighbour",), "the image's content and place are part of the block's key"),
        "two-owners": Bug("ForksUncounted", ("owner tag", "two owners"), "every table that names a block is counted"),
        "publish-unwritten": Bug("PublishesUnwritten", ("neighbour", "owner tag", "poison"),
                                 "a block can be found only after its keys and values are written"),
    }
)  # fmt: skip


def sees(name: str) -> Probe:
    """Return the probe: each oracle that is said to see the bug sees it, and only "alone" need be silent nearby."""

    def shown(names: Names) -> bool:
        from sharedstate.kvcache import stories
        from sharedstate.kvcache.block_cases import BLOCK_CASES

        asked = ("alone", *BUGS[name].oracles)
        return all(stories.judge(names[BUGS[name].variant], BLOCK_CASES[name].minimal, asked).sees.values())

    return shown


def silent(name: str) -> Probe:
    """Return the control: in the near story the same class gives everybody the right logits."""

    def clean(names: Names) -> bool:
        from sharedstate.kvcache import stories
        from sharedstate.kvcache.block_cases import BLOCK_CASES

        return stories.judge(names[BUGS[name].variant], BLOCK_CASES[name].silent, ("alone",)).quiet

    return clean


def quiet(name: str) -> Probe:
    """Return the fix: the right engine, and no oracle has anything to say."""

    def clean(names: Names) -> bool:
        from sharedstate.kvcache import PagedEngine, stories
        from sharedstate.kvcache.block_cases import BLOCK_CASES

        return stories.judge(PagedEngine, BLOCK_CASES[name].minimal).quiet

    return clean


def _engine_faults() -> tuple[Fault, ...]:
    return tuple(
        Fault(name, UNIT, ", ".join(("alone", *bug.oracles)), "a near story in which the bug is silent", bug.fix,
              sees(name), silent(name), quiet(name))
        for name, bug in BUGS.items()
    )  # fmt: skip


# --- races of the allocator


def breaks(room: str, program: str) -> Probe:
    """Return the probe: the explorer finds an order that breaks it, and its shortest one is confirmed on threads."""

    def shown(names: Names) -> bool:
        from sharedstate.kvcache import races

        result = getattr(races, room)(names[program]).explore("dpor")
        return result.verdict == "broken" and bool(result.minimal and result.minimal.confirmed)

    return shown


def one_after_the_other(room: str, program: str) -> Probe:
    """Return the control: Alice first and then Bob, and nothing is wrong."""

    def clean(names: Names) -> bool:
        from sharedstate.kvcache import races

        trace = getattr(races, room)(names[program]).play(["alice*", "bob*"])
        return trace.finished and not trace.violated

    return clean


def proved(room: str, program: str) -> Probe:
    """Return the fix: no order breaks it, and nothing is taken on trust."""

    def clean(names: Names) -> bool:
        from sharedstate.kvcache import races

        result = getattr(races, room)(names[program]).explore("dpor")
        return result.verdict == "proved" and not result.assumptions

    return clean


def _race(name: str, room: str, broken: str, fixed: str, fix: str) -> Fault:
    return Fault(f"alloc-{name}", UNIT, ORDERS, SERIAL, fix, breaks(room, broken), one_after_the_other(room, broken),
                 proved(room, fixed))


# --- rows, plans, beams, crafted keys


def tail_names_another(kind: str, wrong: bool) -> Probe:
    """Return a probe: does a padded write of the moved row go into another's block, and does the tail say so?"""

    def probe(names: Names) -> bool:
        from sharedstate.kvcache import house

        row, others, written = house.moved_row(names[kind])
        return bool(written & others) is bool(set(row[2:]) - {0}) is wrong

    return probe


def nothing_moves(names: Names) -> bool:
    """The control: the last row ends, so that no row moves, and every tail is null."""
    from sharedstate.kvcache import BlockPool, BlockTable

    pool, rows = BlockPool(12, 4), names["CopiesItsOwn"](4)
    tables = [BlockTable(pool) for _ in range(2)]
    for table, tokens in zip(tables, (16, 7), strict=True):
        table.append(tokens)
        rows.add(table)
    tables[1].free()
    rows.remove(1)
    pool.check(tables, rows.rows)
    return rows.rows == [[1, 2, 3, 4]]


def plan(which: str, tokens: int, adds_up: bool) -> Probe:
    """Return a probe: do start and scheduled tokens add up to the prompt, when so many tokens were there before?"""

    def probe(names: Names) -> bool:
        from sharedstate.kvcache import house

        start, scheduled = names[which](house.preempted(tokens), list(range(10)))
        return (start + scheduled == 10) is adds_up

    return probe


BEAMS = ((10, 11), (20, 21), (30, 31))


def beams(step: Callable[[Names, list, list], list], parents: list[int], right: bool) -> Probe:
    """Return a probe: does every beam go on from its parent?"""

    def probe(names: Names) -> bool:
        found = step(names, [list(row) for row in BEAMS], parents)
        return (found == [list(BEAMS[parent]) for parent in parents]) is right

    return probe


def _of(name: str) -> Callable[[Names, list, list], list]:
    return lambda names, state, parents: names[name](state, parents)


def _under(function: str, key: str) -> Callable[[Names, list, list], list]:
    return lambda names, state, parents: names[function]({key: state}, parents)[key]


def crafted_hit(secret: bytes | None, index: str, tokens: int) -> Probe:
    """Return a probe: how many tokens does the victim find after the crafted prompt? No secret: the public root."""

    def probe(names: Names) -> bool:
        from sharedstate.kvcache import PrefixIndex, PrefixKeys, keyhunt

        keys = names["public_keys"]() if secret is None else PrefixKeys(secret, digest=names["sixteen_bits"])
        kind = PrefixIndex if index == "PrefixIndex" else names[index]
        return keyhunt.attack(keys, kind, names["crafted"](), (1, 2, 3, 4)) == tokens

    return probe


ALL, STAY = [2, 0, 0], [0, 1, 2]
FAULTS: tuple[Fault, ...] = (
    Fault("OFF-01", UNIT, "what a request writes is a subset of what it owns, and its tail is null",
          "the last row ends: nothing moves", "a row is moved whole (BlockRows)",
          tail_names_another("CopiesItsOwn", True), nothing_moves, tail_names_another("BlockRows", False)),
    Fault("OFF-03", UNIT, "start + scheduled tokens = the prompt", "nothing of it was there before",
          "look for the prefix first, then plan (look_then_plan)",
          plan("plan_then_look", 10, False), plan("plan_then_look", 3, True), plan("look_then_plan", 10, True)),
    *_engine_faults(),
    Fault("KEY-03", UNIT, "a hit's stored tokens against the prompt's", "the same search against a secret root",
          "a hit is verified (PrefixIndex)",
          crafted_hit(None, "Believes", 4), crafted_hit(b"drawn", "Believes", 0), crafted_hit(None, "PrefixIndex", 0)),
    Fault("COW-01", UNIT, "beam i holds what its parent held", "each beam is its own parent", "the new state is taken",
          beams(_of("forgetful"), ALL, False), beams(_of("forgetful"), STAY, True), beams(_of("taken"), ALL, True)),
    Fault("COW-02", UNIT, "every stateful entry follows the parents", "the state has the one name",
          "all entries are reordered, whatever their name",
          beams(_under("one_name", "cache_params"), ALL, False),
          beams(_under("one_name", "past_key_values"), ALL, True),
          beams(_under("every_name", "cache_params"), ALL, True)),
    _race("check-then-act", "taking", "LooksThenTakes", "TakesUnderLock", "look and take under one lock"),
    _race("lost-count", "counting", "CountsBare", "CountsUnderLock", "count under a lock"),
    _race("free-while-mapped", "leaving", "FreesWhatIsFound", "FreesUnderLock",
          "count down, look and free under the lock that a hit takes too"),
    _race("publish-first", "publishing", "PublishesFirst", "WritesFirst", "write, then publish"),
)
