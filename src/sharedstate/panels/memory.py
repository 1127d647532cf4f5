"""The planner panel: shape, number format, length, batch, device; see what fits, and what would."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

import ipywidgets as widgets

from sharedstate import figures
from sharedstate.kvcache.memory import MemoryPlan, cache_bytes, plan, require_share, weight_bytes
from sharedstate.model import GPTConfig
from sharedstate.panels.base import Picture, PicturePanel, require_offered
from sharedstate.wording import count

LARGE, MIDDLE, SMALL = "32 layers, 32 heads of 128", "32 layers, 16 heads of 128", "8 layers, 8 heads of 64"
MODELS: Mapping[str, GPTConfig] = MappingProxyType({
    LARGE: GPTConfig(32000, 32, 4096, 32, d_hidden=11008),
    MIDDLE: GPTConfig(32000, 32, 2048, 16, d_hidden=8192),
    SMALL: GPTConfig(4096, 8, 512, 8),
})
DTYPES = ("float32", "bfloat16", "float16", "int8")
LENGTHS = tuple(2**n for n in range(7, 18))
BATCHES = (1, 2, 4, 8, 16, 32, 64, 128)
DEVICES = (8, 16, 24, 48, 80, 141)
KV_HEADS = (32, 16, 8, 4, 2, 1)
MOST_HEADROOM = 0.5


@dataclass(frozen=True)
class MemoryChoice:
    """What the form says. kv_heads is cut down to the model's heads; ValueError for what the form does not offer."""

    model: str = LARGE
    kv_heads: int = 32
    dtype: str = "float16"
    length: int = 4096
    batch: int = 8
    device_gib: int = 24
    headroom: float = 0.25

    def __post_init__(self) -> None:
        """Refuse what the form does not offer."""
        for name, options in (("model", tuple(MODELS)), ("kv_heads", KV_HEADS), ("dtype", DTYPES),
                              ("length", LENGTHS), ("batch", BATCHES), ("device_gib", DEVICES)):
            require_offered(name, getattr(self, name), options)
        require_share(self.headroom)
        if self.headroom > MOST_HEADROOM:
            raise ValueError(f"headroom is {self.headroom}: the form goes from 0 to {MOST_HEADROOM}.")

    @property
    def config(self) -> GPTConfig:
        """The model's shape, with the chosen KV heads."""
        config = MODELS[self.model]
        return replace(config, num_kv_heads=min(self.kv_heads, config.num_heads))


def memory_view(choice: MemoryChoice) -> MemoryPlan:
    """Plan the choice: weights in the same number format as the cache."""
    config = choice.config
    return plan(config, choice.dtype, choice.length, choice.batch, choice.device_gib,
                weight_bytes(config, choice.dtype), choice.headroom)


def memory_title(found: MemoryPlan) -> str:
    """Return the message of a plan with a budget."""
    slots = f"{count(found.batch, 'slot')} of {found.length:,} tokens"
    verb = "" if found.batch != 1 else "s"
    if found.fits:
        return f"{slots} fit{verb}: {found.gib:.1f} of {(found.budget or 0) / 2**30:g} GiB"
    return f"{slots} do{'es' if verb else ''} not fit; {found.largest_batch:,} would"


def memory_text(choice: MemoryChoice) -> str:
    """Return the plan as text, with what a token costs."""
    config = choice.config
    token = cache_bytes(config, choice.dtype, 1) / 1024
    head = f"{choice.model}, {config.num_kv_heads} KV heads, {choice.dtype}: {token:,.0f} KiB a token"
    return f"{head}\n{memory_view(choice).text}"


def memory_png(choice: MemoryChoice) -> bytes:
    """Draw the plan and return the picture's bytes."""
    found = memory_view(choice)
    return figures.memory_bars({f"batch {found.batch}": found}, memory_title(found)).png(dpi=100)


class MemoryPanel(PicturePanel):
    """A form, the plan as a picture and as text."""

    caption = "The line is the device. Headroom, hatched, stays free for activations and fragments."
    look = "max-width:640px;width:100%"

    def __init__(self, choice: MemoryChoice) -> None:
        """Show the choice; each change plans anew."""
        look = {"style": {"description_width": "9em"}, "layout": widgets.Layout(width="30em")}
        lists = {"model": MODELS, "kv_heads": KV_HEADS, "dtype": DTYPES}
        scales = {"length": LENGTHS, "batch": BATCHES, "device_gib": DEVICES}
        words = {"kv_heads": "KV heads", "length": "tokens a slot", "batch": "peak batch", "device_gib": "device, GiB"}
        self.fields: Mapping[str, widgets.Widget] = MappingProxyType({
            **{name: widgets.Dropdown(options=list(options), value=getattr(choice, name),
                                      description=words.get(name, name), **look) for name, options in lists.items()},
            **{name: widgets.SelectionSlider(
                options=[(f"{n:,}", n) for n in options], value=getattr(choice, name), description=words[name],
                continuous_update=False, **look) for name, options in scales.items()},
            "headroom": widgets.FloatSlider(
                choice.headroom, min=0.0, max=MOST_HEADROOM, step=0.05, readout_format=".0%", description="headroom",
                continuous_update=False, **look),
        })
        self.arrange("memory", self.fields)
        self.watch(self.fields.values())
        self.show()

    def choice(self) -> MemoryChoice:
        """Return what the form says."""
        return MemoryChoice(**{name: widget.value for name, widget in self.fields.items()})

    def picture(self) -> Picture:
        """Plan what the form says."""
        choice = self.choice()
        self.plan = memory_view(choice)
        return Picture(
            memory_title(self.plan), memory_text(choice), memory_png(choice), facts={"fits": self.plan.fits}
        )


def memory_panel(**settings: Any) -> MemoryPanel:
    """Return the planner panel, its form set to these values of MemoryChoice; ValueError for one that cannot be."""
    known = [field.name for field in fields(MemoryChoice)]
    unknown = [name for name in settings if name not in known]
    if unknown:
        raise ValueError(f"The panel has no setting {unknown[0]!r}: use {', '.join(known)}.")
    return MemoryPanel(MemoryChoice(**settings))
