"""Random lives of requests in slots, blocks and prefixes; and each planted bug, found and made small."""

from __future__ import annotations

from typing import Any

import pytest
from blocks_machine import Machine, Parts
from hypothesis import seed, settings
from hypothesis.stateful import run_state_machine_as_test

from sharedstate.kvcache import BlockPool, BlockRows, BlockTable, PrefixIndex, PrefixKeys, SlotCache
from sharedstate.kvcache.prefix import Factors

STEPS = 50
MOST_SHRUNK = 10


def run(machine: type[Machine], examples: int, steps: int = STEPS, draw: int | None = None) -> None:
    """Play so many lives, the same ones every time; `draw` chooses others."""
    chosen = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, database=None, print_blob=False,
        derandomize=draw is None,
    )  # fmt: skip
    run_state_machine_as_test(machine if draw is None else seed(draw)(machine), settings=chosen)


def operations(examples: int, draw: int | None = None) -> int:
    """Play with the right classes; return how many operations that were."""
    parts = type("Counted", (Parts,), {})
    run(type("CountedMachine", (Machine,), {"parts": parts}), examples, draw=draw)
    return parts.operations


def test_5000_operations_without_a_violated_invariant() -> None:
    assert operations(150) >= 5000


@pytest.mark.exhaustive
def test_100000_operations_without_a_violated_invariant() -> None:
    done, draw = 0, 1
    while done < 100_000:
        done, draw = done + operations(200, draw), draw + 1


class FreesWhatOthersUse(BlockPool):
    """One free is enough: reference counts are not looked at."""

    def free(self, blocks: Any) -> None:
        for block in blocks:
            self.ref_cnt[block] = 0
            self.free_block_queue[block] = None


class NeverCopies(BlockPool):
    """The claim: one's own tail may always be written."""

    def writable(self, block: int) -> int:
        return block


class CopiesNothing(BlockPool):
    """A new block, and nobody copies what was in the old one."""

    def __init__(self, num_blocks: int, block_size: int, copy: Any) -> None:
        super().__init__(num_blocks, block_size)


class TouchLeavesItInTheQueue(BlockPool):
    """A block that is found again is counted, and stays free."""

    def touch(self, blocks: Any) -> None:
        for block in blocks:
            self.ref_cnt[block] += 1


class TellsNoIndex(BlockPool):
    """A block is given out again, and the index still finds its old prefix."""

    def forget(self, block: int) -> None:
        self.kept.discard(block)


class LosesABlock(BlockPool):
    """Kept blocks are not put back into the queue."""

    def free(self, blocks: Any) -> None:
        super().free(blocks)
        for block in self.kept & self.free_block_queue.keys():
            del self.free_block_queue[block]


class ForkCountsNothing(BlockTable):
    """A second table of the same blocks, and no second reference."""

    def fork(self) -> BlockTable:
        other = BlockTable(self.pool)
        other.blocks, other.num_tokens = list(self.blocks), self.num_tokens
        return other


class RollbackKeepsTheTokens(BlockTable):
    """The blocks go back, the length stays."""

    def truncate(self, num_tokens: int) -> None:
        kept = self.num_tokens
        super().truncate(num_tokens)
        self.num_tokens = kept if num_tokens else 0


class PartialMove(BlockRows):
    """Only as many entries as the moved table has: the old tail stays (OFF-01)."""

    def move(self, source: list[int], target: list[int]) -> None:
        own = [block for block in source if block]
        target[: len(own)] = own


class PublishesTheUnfinished(PrefixIndex):
    """A block is published when it is begun: the hash comes from what the text will be."""

    def publish(self, table: BlockTable, chain: Any, computed: int) -> None:
        part = chain.tokens[computed // 2 * 2 :]
        if part and len(table.blocks) > computed // 2:
            begun = self.chain([*chain.tokens, *[1] * (2 - len(part))], chain.factors)
            whole = BlockTable(self.pool)
            whole.blocks, whole.num_tokens = table.blocks, len(begun.tokens)
            super().publish(whole, begun, len(begun.tokens))
        super().publish(table, chain, computed)


class NoParent(PrefixKeys):
    """A hash of the block's own tokens."""

    def next(self, parent: bytes, tokens: Any, inside: Any = ()) -> bytes:
        return super().next(b"", tokens, inside)


class NoAdapter(PrefixKeys):
    """Tokens only (KEY-01)."""

    def tags(self, factors: Factors) -> Any:
        return super().tags(Factors())


class Trusting(PrefixIndex):
    """A hash that is found is believed."""

    def verified(self, entry: Any, last: Any, part: Any) -> bool:
        return True


class LengthStays(SlotCache):
    """A slot is given back, and its valid length stays."""

    def release(self, slot: int) -> None:
        self.owners[slot] = None


BUGS: dict[str, dict[str, type]] = {
    "frees what others use": {"pool": FreesWhatOthersUse},
    "never copies": {"pool": NeverCopies},
    "copies nothing": {"pool": CopiesNothing},
    "a touched block stays in the queue": {"pool": TouchLeavesItInTheQueue},
    "the index is not told": {"pool": TellsNoIndex},
    "a block is lost": {"pool": LosesABlock},
    "a fork counts nothing": {"table": ForkCountsNothing},
    "a rollback keeps the tokens": {"table": RollbackKeepsTheTokens},
    "the tail of a row stays": {"rows": PartialMove},
    "published before it is written": {"index": PublishesTheUnfinished},
    "no parent in the hash": {"keys": NoParent, "index": Trusting},
    "no adapter in the hash": {"keys": NoAdapter},
    "the length of a slot stays": {"slots": LengthStays},
}
SHORT = ("a block is lost",)


def shrunk(bug: str) -> int:
    """Let the machine find the bug; return how many steps the smallest life has that shows it."""
    parts = type("Planted", (Parts,), BUGS[bug])
    machine = type("PlantedMachine", (Machine,), {"parts": parts})
    with pytest.raises(Exception) as caught:
        run(machine, 300, 25)
    assert not isinstance(caught.value, (NameError, TypeError, AttributeError)), caught.value
    return parts.steps


@pytest.mark.parametrize("bug", SHORT)
def test_a_planted_bug_is_found_and_made_small(bug: str) -> None:
    assert 1 <= shrunk(bug) <= MOST_SHRUNK


@pytest.mark.exhaustive
@pytest.mark.parametrize("bug", [bug for bug in BUGS if bug not in SHORT])
def test_every_planted_bug_is_found_and_made_small(bug: str) -> None:
    assert 1 <= shrunk(bug) <= MOST_SHRUNK
