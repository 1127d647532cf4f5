"""The panels of unit 08: what a block size wastes, and who shares which block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ipywidgets as widgets

from sharedstate import figures
from sharedstate.figures.blocks import BlockView, block_views
from sharedstate.kvcache.blocks import BlockPool, BlockTable
from sharedstate.kvcache.capacity import MIXES, SIZES, fits, in_blocks, lengths, longest, utilisation, waste
from sharedstate.kvcache.prefix import Factors, PrefixIndex, PrefixKeys
from sharedstate.panels.base import Picture, PicturePanel, chosen, require_offered
from sharedstate.wording import count, listed

BUDGETS = (8_192, 32_768, 131_072)
SHARED = (0, 2, 3, 4, 6, 8)
SHARED_SIZES = (1, 2, 4, 8)
PROMPT = 10
NAMES = ("ann", "bob", "eve")
GROUPS = ("all tenants share", "ann and bob are one group", "everybody alone")
ADAPTERS = ("the same", "eve has another")


@dataclass(frozen=True)
class BlockChoice:
    """What the controls say: block size, mix of lengths, memory in tokens. ValueError for what they do not offer."""

    block_size: int = 16
    mix: str = "mostly short"
    budget: int = 32_768

    def __post_init__(self) -> None:
        """Refuse what the controls do not offer."""
        require_offered("block_size", self.block_size, SIZES)
        require_offered("mix", self.mix, tuple(MIXES))
        require_offered("budget", self.budget, BUDGETS)


@dataclass(frozen=True)
class BlockResult:
    """What a choice gives: requests that fit in blocks and reserved to the longest; shares that hold tokens, wasted."""

    choice: BlockChoice
    paged: int
    contiguous: int
    used: float
    wasted: float

    @property
    def title(self) -> str:
        """The message."""
        return f"Blocks of {self.choice.block_size}: {self.paged} requests in the place of {self.contiguous}"

    @property
    def text(self) -> str:
        """The result as one line."""
        return (f"{self.choice.mix}, {self.choice.budget:,} tokens of memory: {self.paged} requests in blocks of "
                f"{self.choice.block_size}, {self.contiguous} reserved to the longest; blocks waste "
                f"{self.wasted:.1%}, reservation {1 - self.used:.1%}")  # fmt: skip


def run_blocks(choice: BlockChoice) -> BlockResult:
    """Count what fits, of requests that are the same each time."""
    drawn = lengths(choice.mix)
    return BlockResult(
        choice, fits(drawn, choice.budget, in_blocks(choice.block_size)), fits(drawn, choice.budget, longest),
        utilisation(drawn, longest), waste(drawn, choice.block_size),
    )  # fmt: skip


def blocks_png(result: BlockResult) -> bytes:
    """Draw the waste of every block size, with the chosen one marked, and return the picture's bytes."""
    drawn = lengths(result.choice.mix)
    curve = {result.choice.mix: {size: waste(drawn, size) for size in SIZES}}
    return figures.size_sweep(curve, result.title, "places without a token", result.choice.block_size).png(dpi=100)


class BlockPanel(PicturePanel):
    """Block size, mix and memory above; the sweep with the chosen size below. A plain sweep stands beside it."""

    beside = False
    caption = "Each point is a block size; the dashed line is the one chosen. What lies under a point holds no token."

    def __init__(self, choice: BlockChoice) -> None:
        """Show the choice; each change counts anew."""
        look = {"style": {"description_width": "9em"}, "layout": widgets.Layout(width="28em")}
        self.block_size = widgets.SelectionSlider(
            options=list(SIZES), value=choice.block_size, description="block size", continuous_update=False, **look)
        self.mix = widgets.Dropdown(options=list(MIXES), value=choice.mix, description="lengths", **look)
        self.budget = widgets.Dropdown(
            options=[(f"{n:,} tokens", n) for n in BUDGETS], value=choice.budget, description="memory", **look)
        controls = {"block_size": self.block_size, "mix": self.mix, "budget": self.budget}
        self.arrange("block", controls)
        self.watch(controls.values())
        self.show()

    def picture(self) -> Picture:
        """Count what the controls choose."""
        self.run = run_blocks(BlockChoice(self.block_size.value, self.mix.value, self.budget.value))
        return Picture(self.run.title, self.run.text, blocks_png(self.run), facts={"paged": self.run.paged})


def block_panel(**settings: Any) -> BlockPanel:
    """Return the panel of block sizes, set to these values of BlockChoice; ValueError for one that cannot be."""
    return BlockPanel(chosen(BlockChoice, settings))


@dataclass(frozen=True)
class SharingChoice:
    """What the controls say: equal tokens at the start of three prompts of ten, block size, adapters, who trusts whom.

    Raises ValueError for what they do not offer.
    """

    shared: int = 6
    block_size: int = 2
    adapters: str = ADAPTERS[0]
    groups: str = GROUPS[0]

    def __post_init__(self) -> None:
        """Refuse what the controls do not offer."""
        options: tuple[tuple[str, Sequence[object]], ...] = (
            ("shared", SHARED), ("block_size", SHARED_SIZES), ("adapters", ADAPTERS), ("groups", GROUPS))
        for name, offered in options:
            require_offered(name, getattr(self, name), offered)


@dataclass(frozen=True)
class SharingResult:
    """What a choice gives: the blocks, the tokens that each request found, and the tokens that need no place."""

    choice: SharingChoice
    views: tuple[BlockView, ...]
    found: tuple[int, ...]
    saved: int

    @property
    def title(self) -> str:
        """The message."""
        lucky = [name for name, tokens in zip(NAMES, self.found, strict=True) if tokens]
        return f"{listed(lucky)} find{'s' * (len(lucky) == 1)} a prefix" if lucky else "Nobody finds a prefix"

    @property
    def text(self) -> str:
        """The result as one line."""
        each = ", ".join(f"{name} {tokens}" for name, tokens in zip(NAMES, self.found, strict=True))
        return (f"{count(self.choice.shared, 'equal token')}, blocks of {self.choice.block_size}; found: {each}; "
                f"{count(self.saved, 'token')} of memory saved")


def run_sharing(choice: SharingChoice) -> SharingResult:
    """Serve the three, one after the other, all of them still running."""
    pool = BlockPool(3 * -(-PROMPT // choice.block_size) + 1, choice.block_size)
    groups = {GROUPS[0]: dict.fromkeys(NAMES, "all"), GROUPS[1]: {"ann": "both", "bob": "both"}}.get(choice.groups)
    index, tables, found = PrefixIndex(pool, PrefixKeys(b"panel", groups)), {}, []
    texts: dict[tuple[int, int], int] = {}
    for number, name in enumerate(NAMES, 1):
        tokens = [*range(1, choice.shared + 1), *(10 * number + k for k in range(PROMPT - choice.shared))]
        adapter = "another" if name == "eve" and choice.adapters == ADAPTERS[1] else None
        chain, table = index.chain(tokens, Factors(tenant=name, adapter=adapter)), BlockTable(pool)
        table.adopt(index.match(chain).blocks)
        found.append(table.num_tokens)
        places = table.append(PROMPT - table.num_tokens)
        for token, place in zip(tokens[PROMPT - len(places):], places, strict=True):
            texts[divmod(place, choice.block_size)] = token
        index.publish(table, chain, PROMPT)
        tables[name] = table
    used = sum(count > 0 for count in pool.ref_cnt)
    views = block_views(pool, tables, lambda block, place: texts.get((block, place), ""))
    shown = tuple(view for view in views if view.owners)
    return SharingResult(choice, shown, tuple(found), index.saved_tokens() if used else 0)


def sharing_png(result: SharingResult) -> bytes:
    """Draw who has which block, and return the picture's bytes."""
    return figures.block_map({"blocks in use": result.views}, result.title, NAMES).png(dpi=100)


class SharingPanel(PicturePanel):
    """Prompts, keys and trust above; the blocks below."""

    caption = "A box is a block with its tokens; grey ones are named by several tables, the letters say by whose."

    def __init__(self, choice: SharingChoice) -> None:
        """Show the choice; each change serves the three anew."""
        look = {"style": {"description_width": "9em"}, "layout": widgets.Layout(width="30em")}
        late = {"continuous_update": False, **look}
        self.shared = widgets.SelectionSlider(
            options=list(SHARED), value=choice.shared, description="equal tokens", **late)
        self.block_size = widgets.SelectionSlider(
            options=list(SHARED_SIZES), value=choice.block_size, description="block size", **late)
        self.adapters = widgets.Dropdown(
            options=list(ADAPTERS), value=choice.adapters, description="adapters", **look)
        self.groups = widgets.Dropdown(options=list(GROUPS), value=choice.groups, description="trust", **look)
        controls = {"shared": self.shared, "block_size": self.block_size, "adapters": self.adapters,
                    "groups": self.groups}  # fmt: skip
        self.arrange("sharing", controls)
        self.watch(controls.values())
        self.show()

    def picture(self) -> Picture:
        """Serve what the controls choose."""
        self.run = run_sharing(
            SharingChoice(self.shared.value, self.block_size.value, self.adapters.value, self.groups.value))
        return Picture(self.run.title, self.run.text, sharing_png(self.run), facts={"saved": self.run.saved})


def sharing_panel(**settings: Any) -> SharingPanel:
    """Return the panel of shared blocks, set to these values of SharingChoice; ValueError for one that cannot be."""
    return SharingPanel(chosen(SharingChoice, settings))
