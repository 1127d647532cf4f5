"""The bugs of paged blocks: for each the smallest story that shows it, and a near one in which it is silent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from sharedstate.kvcache.paged import PagedCache
from sharedstate.kvcache.paged_engine import PagedEngine
from sharedstate.kvcache.prefix import Factors, Image
from sharedstate.kvcache.stories import Story, judge


@dataclass(frozen=True)
class BlockCase:
    """One bug. `minimal` shows it in every run; `silent` differs from it by what `because` says."""

    minimal: Story
    silent: Story
    because: str


EIGHT, NINE = (1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 3, 4, 5, 6, 7, 8, 9)
FORKED = "add a; fork a b; step a b; step a b"
SWAPPED = (5, 6, 7, 8, 1, 2, 3, 4, 9)
LAW, MED = Factors(adapter="law"), Factors(adapter="medicine")
CAT, DOG = Factors(images=(Image(b"cat", 1, 2),)), Factors(images=(Image(b"dog", 1, 2),))
LEFT, LEFT_PROMPTS = "add a; fork a b; finish a; add c; step b", {"a": NINE, "c": (7, 7, 7, 7, 7, 7)}


def _two(first: tuple[int, ...], second: tuple[int, ...], **factors: Factors) -> Story:
    return Story("add a; add b; step a b", {"a": first, "b": second}, factors)


BLOCK_CASES: Mapping[str, BlockCase] = MappingProxyType(
    {
        "share-no-copy": BlockCase(Story(FORKED, {"a": NINE}), Story(FORKED, {"a": EIGHT}),
                                   "the shared part ends at the end of a block"),
        "block-hash-no-parent": BlockCase(_two(NINE, SWAPPED), _two(NINE, NINE), "the blocks before are the same"),
        "KEY-01": BlockCase(_two(NINE, NINE, a=LAW, b=MED), _two(NINE, NINE, a=LAW, b=LAW), "one adapter"),
        "KEY-02": BlockCase(_two(NINE, NINE, a=CAT, b=DOG), _two(NINE, NINE, a=CAT, b=CAT), "one picture"),
        "two-owners": BlockCase(Story(LEFT, LEFT_PROMPTS), Story("add a; fork a b; add c; step a", LEFT_PROMPTS),
                                "the first one stays, and the second one reads nothing yet"),
        "publish-unwritten": BlockCase(Story("fail a; add b; step b", {"a": NINE, "b": NINE}),
                                       Story("add a; add b; step a b", {"a": NINE, "b": NINE}), "nothing breaks off"),
    }
)  # fmt: skip


def matrix(engines: Sequence[type[PagedEngine] | type[PagedCache]]) -> dict[str, dict[str, bool]]:
    """Return which oracle sees which bug: engines (or cache classes), one for each case, in its smallest story."""
    pairs = zip(BLOCK_CASES.items(), engines, strict=True)
    return {name: judge(engine, case.minimal).sees for (name, case), engine in pairs}
