"""The context panel: choose a model and a context length; see what a step costs with and without a KV cache."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import ipywidgets as widgets

from sharedstate import figures
from sharedstate.kvcache.costs import StepCost, Timing, step_cost, timed_step
from sharedstate.model import GPT, GPTConfig
from sharedstate.panels.base import Picture, PicturePanel, require_offered

SMALL = "4 layers, d 256"
MODELS: Mapping[str, GPTConfig] = MappingProxyType({
    SMALL: GPTConfig(256, 4, 256, 4),
    "8 layers, d 512": GPTConfig(4096, 8, 512, 8),
    "32 layers, d 4096": GPTConfig(32000, 32, 4096, 32, d_hidden=11008),
})
CONTEXTS = tuple(2**n for n in range(4, 17))
CLOCK_CACHED, CLOCK_WITHOUT = 16384, 2048


@dataclass(frozen=True)
class ContextChoice:
    """What the controls say; ValueError for a model or a context that they do not offer."""

    model: str = SMALL
    context: int = 2048

    def __post_init__(self) -> None:
        """Refuse what the controls do not offer."""
        for name, options in (("model", tuple(MODELS)), ("context", CONTEXTS)):
            require_offered(name, getattr(self, name), options)

    @property
    def config(self) -> GPTConfig:
        """The model's shape."""
        return MODELS[self.model]


@dataclass(frozen=True)
class ContextView:
    """What a choice gives: the costs (with, without) at every context."""

    choice: ContextChoice
    costs: Mapping[int, tuple[StepCost, StepCost]]

    @property
    def ratio(self) -> float:
        """How many times the operations of a step without a cache are those of one with it."""
        cached, without = self.costs[self.choice.context]
        return without.total / cached.total

    @property
    def title(self) -> str:
        """The message."""
        return f"At {self.choice.context:,} tokens a step without the cache is {self.ratio:,.0f} times the work"

    @property
    def text(self) -> str:
        """The numbers of the choice in one line."""
        cached, without = self.costs[self.choice.context]
        return (f"{self.choice.model}, {self.choice.context:,} tokens: {cached.total / 1e6:,.1f} million operations"
                f" with the cache (attention {100 * cached.share('attention'):.0f} %, projections "
                f"{100 * cached.share('projections'):.0f} %), {without.total / 1e6:,.0f} million without")


def context_view(choice: ContextChoice) -> ContextView:
    """Count the operations of a step at every context, with and without a cache."""
    config = choice.config
    costs = {n: (step_cost(config, n), step_cost(config, n, cached=False)) for n in CONTEXTS}
    return ContextView(choice, MappingProxyType(costs))


def context_png(view: ContextView) -> bytes:
    """Draw a view and return the picture's bytes."""
    return figures.context_costs(view.costs, view.choice.context, view.title).png(dpi=100)


def clocked(choice: ContextChoice) -> list[Timing]:
    """Time the small model's step here, with the cache and, where it takes a second or two at most, without.

    Raises ValueError for a model or a context that would keep the notebook waiting.
    """
    if choice.model != SMALL or choice.context > CLOCK_CACHED:
        raise ValueError(f"The clock is for {SMALL}, up to {CLOCK_CACHED:,} tokens: more would keep you waiting.")
    model = GPT(choice.config)
    timed = [timed_step(model, choice.context)]
    return timed + ([timed_step(model, choice.context, False, 1)] if choice.context <= CLOCK_WITHOUT else [])


def clock_text(timed: list[Timing]) -> str:
    """Return measured times as a line."""
    words = [f"{'with' if t.cached else 'without'} the cache {1e3 * t.seconds:,.1f} ms" for t in timed]
    if len(timed) == 1:
        return f"Measured here: {words[0]}; without it not timed beyond {CLOCK_WITHOUT:,} tokens."
    return f"Measured here: {', '.join(words)}: {timed[1].seconds / timed[0].seconds:,.0f} times as long."


class ContextPanel(PicturePanel):
    """Two controls, a button for the clock, the picture and its numbers as text."""

    caption = "Operations counted, not timed. Both axes are logarithmic; the dotted line is the chosen context."
    look = "max-width:720px;width:100%"

    def __init__(self, choice: ContextChoice) -> None:
        """Show the choice; each change counts anew, the button times a step."""
        look = {"style": {"description_width": "9em"}, "layout": widgets.Layout(width="30em")}
        self.model = widgets.Dropdown(options=list(MODELS), value=choice.model, description="model", **look)
        self.context = widgets.SelectionSlider(
            options=[(f"{n:,}", n) for n in CONTEXTS], value=choice.context, description="tokens in context",
            continuous_update=False, **look)
        self.clock = widgets.Button(description="Time it here", tooltip="Measure a step on this machine")
        self.measured = widgets.HTML()
        controls = {"model": self.model, "context": self.context, "clock": self.clock}
        self.arrange("context", controls, {"measured": self.measured})
        self.clock.on_click(lambda _: self.time_it())
        self.watch((self.model, self.context))
        self.show()

    def choice(self) -> ContextChoice:
        """Return what the controls say."""
        return ContextChoice(self.model.value, self.context.value)

    def time_it(self) -> None:
        """Time a step of the choice, and say how long it took, or why not."""
        self.clock.disabled = True
        try:
            said = clock_text(clocked(self.choice()))
        except ValueError as refusal:
            said = str(refusal)
        finally:
            self.clock.disabled = False
        self.measured.value = f'<span role="status">{html.escape(said)}</span>'

    def picture(self) -> Picture:
        """Count the operations of the choice; a time that was measured for another one goes."""
        self.view, self.measured.value = context_view(self.choice()), ""
        return Picture(self.view.title, self.view.text, context_png(self.view))


def context_panel(model: str = SMALL, context: int = 2048) -> ContextPanel:
    """Return the context panel with its controls set to these values; ValueError for one that cannot be."""
    return ContextPanel(ContextChoice(model, context))
