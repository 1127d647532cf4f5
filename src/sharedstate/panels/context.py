"""The context panel: choose a model and a context length; see what a step costs with and without a KV cache."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import ipywidgets as widgets

from sharedstate.kvcache.costs import StepCost, Timing, step_cost, timed_step
from sharedstate.model import GPT, GPTConfig

SMALL = "4 layers, d 256"
MODELS: Mapping[str, GPTConfig] = MappingProxyType({
    SMALL: GPTConfig(256, 4, 256, 4),
    "8 layers, d 512": GPTConfig(4096, 8, 512, 8),
    "32 layers, d 4096": GPTConfig(32000, 32, 4096, 32, d_hidden=11008),
})
CONTEXTS = tuple(2**n for n in range(4, 17))
CLOCK_CACHED, CLOCK_WITHOUT = 16384, 2048
CAPTION = "Operations counted, not timed. Both axes are logarithmic; the dotted line is the chosen context."


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


def require_offered(name: str, value: object, options: tuple) -> None:
    """Raise ValueError for a value that a control does not offer: True is no 1, 8.0 no 8."""
    if not any(type(value) is type(option) and value == option for option in options):
        raise ValueError(f"{name} is {value!r}: use one of {', '.join(map(repr, options))}.")


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
    from sharedstate.figures import context_costs

    return context_costs(view.costs, view.choice.context, view.title).png(dpi=100)


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


class ContextPanel(widgets.VBox):
    """Two controls, a button for the clock, the picture and its numbers as text."""

    def __init__(self, choice: ContextChoice) -> None:
        """Show the choice; each change counts anew, the button times a step."""
        look = {"style": {"description_width": "9em"}, "layout": widgets.Layout(width="30em")}
        self.model = widgets.Dropdown(options=list(MODELS), value=choice.model, description="model", **look)
        self.context = widgets.SelectionSlider(
            options=[(f"{n:,}", n) for n in CONTEXTS], value=choice.context, description="tokens in context",
            continuous_update=False, **look)
        self.clock = widgets.Button(description="Time it here", tooltip="Measure a step on this machine")
        self.figure, self.line, self.measured = widgets.HTML(), widgets.HTML(), widgets.HTML()
        names = ("model", "context", "clock", "figure", "line", "measured")
        super().__init__([getattr(self, name) for name in names])
        self.add_class("ss-context-panel")
        for name in names:
            getattr(self, name).add_class(f"ss-{name}")
        self.clock.on_click(lambda _: self.time_it())
        self.model.observe(self._show, names="value")
        self.context.observe(self._show, names="value")
        self._show()

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

    def _show(self, change: object = None) -> None:
        self.view = context_view(self.choice())
        picture = base64.b64encode(context_png(self.view)).decode()
        self.figure.value = (
            f'<img alt="{html.escape(self.view.title)}" style="max-width:720px;width:100%" '
            f'src="data:image/png;base64,{picture}"><br><em>{html.escape(CAPTION)}</em>')
        self.line.value = f'<span role="status">{html.escape(self.view.text)}</span>'
        self.measured.value = ""

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, object]:
        """Put the picture and its line beside the widget, for a page without a kernel."""
        bundle = dict(super()._repr_mimebundle_(**kwargs))
        bundle["text/plain"] = self.view.text
        bundle["image/png"] = base64.b64encode(context_png(self.view)).decode()
        return bundle


def context_panel(model: str = SMALL, context: int = 2048) -> ContextPanel:
    """Return the context panel with its controls set to these values; ValueError for one that cannot be."""
    return ContextPanel(ContextChoice(model, context))
