"""The panels of unit 09: up to which batch size it pays, whose tokens a neighbour changes, rounding against leak."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import ipywidgets as widgets
import numpy as np

from sharedstate import figures
from sharedstate.model import GPT
from sharedstate.panels.base import Picture, PicturePanel, chosen, require_offered
from sharedstate.serving import (
    MIXES,
    Counted,
    Engine,
    Limits,
    NotInvariant,
    Request,
    Runner,
    Sampling,
    apart,
    counted,
    knee,
    mix,
)
from sharedstate.wording import count

BATCHES = (1, 2, 4, 8, 16, 32, 64)
MEMORIES = MappingProxyType({"4,096 blocks": 4096, "64 blocks": 64, "32 blocks": 32})
NEIGHBOURS, SEEDS, TOKENS = (0, 1, 2, 3), tuple(range(10)), 8
COMPANY = (1, 2, 4, 8)
TOLERANCE = 1e-4
SMALL = Limits(max_batch=8, num_blocks=33, max_tokens=64)  # so that the probes of the deterministic mode are quick
LOOK = MappingProxyType({"style": {"description_width": "9em"}, "layout": {"width": "30em"}})


# --- length mix and batch size to the knee


@dataclass(frozen=True)
class KneeChoice:
    """What the controls say: mix of answer lengths, batch size, memory. ValueError for what they do not offer."""

    mix: str = "geometric"
    batch: int = 8
    memory: str = "64 blocks"

    def __post_init__(self) -> None:
        """Refuse what the controls do not offer."""
        require_offered("mix", self.mix, MIXES)
        require_offered("batch", self.batch, BATCHES)
        require_offered("memory", self.memory, tuple(MEMORIES))


Sweep = Mapping[str, Mapping[int, Counted]]  # {"continuous" or "static": {batch size: what serving took}}


def run_sweep(mix_name: str, memory: str) -> Sweep:
    """Serve a mix in this memory with every batch size, in an open batch and in a closed one."""
    lengths, blocks = mix(mix_name), MEMORIES[memory]
    one = {1: counted(lengths, 1, blocks=blocks)}  # one place is never shared: open and closed are the same
    return {name: one | {batch: counted(lengths, batch, static, blocks=blocks) for batch in BATCHES[1:]}
            for name, static in (("continuous", False), ("static", True))}  # fmt: skip


def knee_title(choice: KneeChoice, sweep: Sweep) -> str:
    """Return the message: where the knee is, and whether the blocks were full there."""
    rates = {batch: found.throughput for batch, found in sweep["continuous"].items()}
    place = knee(rates)
    if place is None:
        return f"{choice.mix}, {choice.memory}: no knee up to {BATCHES[-1]}"
    full = any(found.preemptions for batch, found in sweep["continuous"].items() if batch > place)
    return f"{choice.mix}: the knee is at {place}, " + ("the blocks are full" if full else "the last ones run alone")


def knee_text(choice: KneeChoice, sweep: Sweep) -> str:
    """Return the numbers at the chosen batch size as one line."""
    opened, closed = sweep["continuous"][choice.batch], sweep["static"][choice.batch]
    return (f"{choice.mix}, {choice.memory}, batch size {choice.batch}: {opened.throughput:.1f} tokens a pass, static "
            f"{closed.throughput:.1f}; {opened.inter_token:.2f} passes between two tokens; "
            f"{count(opened.preemptions, 'preemption')}")  # fmt: skip


class KneePanel(PicturePanel):
    """Mix, batch size and memory above, the sweep with the chosen size below. A sweep is counted once and kept."""

    caption = "Counted, not timed: a pass through the weights costs 1, each token 1/64 more. The dashed line is chosen."

    def __init__(self, choice: KneeChoice) -> None:
        """Show the choice; only another mix or memory is counted anew."""
        self.sweeps: dict[tuple[str, str], Sweep] = {}
        self.mix = widgets.Dropdown(options=list(MIXES), value=choice.mix, description="answer lengths", **LOOK)
        self.batch = widgets.SelectionSlider(
            options=list(BATCHES), value=choice.batch, description="batch size", continuous_update=False, **LOOK)
        self.memory = widgets.Dropdown(options=list(MEMORIES), value=choice.memory, description="memory", **LOOK)
        controls = {"mix": self.mix, "batch": self.batch, "memory": self.memory}
        self.arrange("knee", controls)
        self.watch(controls.values())
        self.show()

    def picture(self) -> Picture:
        """Count what the controls choose, unless it was counted before."""
        choice = KneeChoice(self.mix.value, self.batch.value, self.memory.value)
        key = choice.mix, choice.memory
        if key not in self.sweeps:
            self.sweeps[key] = run_sweep(*key)
        sweep, title = self.sweeps[key], knee_title(choice, self.sweeps[key])
        curves = {name: {n: found.throughput for n, found in points.items()} for name, points in sweep.items()}
        drawn = figures.growth(curves, title, "batch size", "tokens a pass", True, choice.batch)
        return Picture(title, knee_text(choice, sweep), drawn.png(dpi=100),
                       facts={"preemptions": sweep["continuous"][choice.batch].preemptions})  # fmt: skip


def knee_panel(mix: str = "geometric", batch: int = 8, memory: str = "64 blocks") -> KneePanel:
    """Return the panel of the knee, set to these values; ValueError for one that cannot be."""
    return KneePanel(KneeChoice(mix, batch, memory))


# --- seeds, with and without a neighbour


@dataclass(frozen=True)
class SeedChoice:
    """What the controls say: Ann's seed, how many neighbours, whether they cut (top_k 5). ValueError for others."""

    seed: int = 1
    neighbours: int = 1
    cut: bool = False

    def __post_init__(self) -> None:
        """Refuse what the controls do not offer."""
        require_offered("seed", self.seed, SEEDS)
        require_offered("neighbours", self.neighbours, NEIGHBOURS)
        require_offered("cut", self.cut, (False, True))


@dataclass(frozen=True)
class SeedResult:
    """Ann's tokens alone, again alone, and beside her neighbours."""

    choice: SeedChoice
    rows: Mapping[str, tuple[int, ...]]

    @property
    def first(self) -> int | None:
        """The first token (from 1) of the last row that is not the one she gets alone; None for the same text."""
        alone, *_, beside = self.rows.values()
        return next((n for n, pair in enumerate(zip(alone, beside, strict=True), 1) if pair[0] != pair[1]), None)

    @property
    def title(self) -> str:
        """The message."""
        if not self.choice.neighbours:
            return "Alone, Ann's text is the same each time" if self.first is None else "Alone, Ann's text changes"
        if self.first is None:
            return "Neighbours change no token of Ann's"
        return f"Ann's text changes at token {self.first}"

    @property
    def text(self) -> str:
        """The result as one line."""
        cut = " that cut" * self.choice.cut
        return f"seed {self.choice.seed}, {count(self.choice.neighbours, 'neighbour')}{cut}: {self.title}"


def run_seeds(choice: SeedChoice, engine: type[Engine], model: GPT) -> SeedResult:
    """Serve Ann alone, again, and beside her neighbours, with temperature 1, each time in a new engine."""
    vocab = model.config.vocab_size

    def prompt(seed: int) -> list[int]:
        return np.random.default_rng(seed).integers(0, vocab, 6).tolist()

    def text(*others: Request) -> tuple[int, ...]:
        made = engine(model, SMALL, deterministic=True)
        made.add(Request("ann", prompt(0), TOKENS, Sampling(1.0, seed=choice.seed)))
        for other in others:
            made.add(other)
        return made.run()["ann"].tokens

    way = Sampling(1.0, top_k=5 * choice.cut)
    others = [Request(f"other {n}", prompt(n), TOKENS, way) for n in range(1, choice.neighbours + 1)]
    rows = {"alone": text(), "again": text()}
    return SeedResult(choice, rows | {"beside": text(*others)} if others else rows)


class SeedPanel(PicturePanel):
    """Generator, seed and neighbours above, Ann's tokens below."""

    caption = "A box is a token of Ann's answer, a row one run of a new engine. The first row is what she gets alone."

    def __init__(self, engines: Mapping[str, type[Engine]], model: GPT, choice: SeedChoice) -> None:
        """Show the choice with the first engine; each change serves anew."""
        self.engines, self.model = dict(engines), model
        late = {"continuous_update": False, **LOOK}
        self.engine = widgets.Dropdown(options=list(self.engines), description="random numbers", **LOOK)
        self.seed = widgets.SelectionSlider(options=list(SEEDS), value=choice.seed, description="Ann's seed", **late)
        self.neighbours = widgets.SelectionSlider(
            options=list(NEIGHBOURS), value=choice.neighbours, description="neighbours", **late)
        self.cut = widgets.Checkbox(choice.cut, description="the neighbours cut (top_k = 5)", **LOOK)
        controls = {"engine": self.engine, "seed": self.seed, "neighbours": self.neighbours, "cut": self.cut}
        self.arrange("seed", controls)
        self.watch(controls.values())
        self.show()

    def picture(self) -> Picture:
        """Serve what the controls choose."""
        choice = SeedChoice(self.seed.value, self.neighbours.value, self.cut.value)
        self.run = run_seeds(choice, self.engines[self.engine.value], self.model)
        drawn = figures.token_rows(self.run.rows, self.run.title)
        return Picture(self.run.title, f"{self.engine.value}: {self.run.text}", drawn.png(dpi=100),
                       facts={"first": self.run.first or 0})  # fmt: skip


def seed_panel(engines: Mapping[str, type[Engine]], model: GPT, **settings: Any) -> SeedPanel:
    """Return the panel of seeds. engines: {where random numbers come from: an Engine class}, the first one is shown.

    settings: those of SeedChoice. Raises ValueError for no engine, or for a setting that cannot be.
    """
    _require_classes(engines, Engine)
    return SeedPanel(engines, model, chosen(SeedChoice, settings))


# --- deterministic on and off


@dataclass(frozen=True)
class BitsChoice:
    """What the controls say: requests in the batch, and the mode. ValueError for what they do not offer."""

    batch: int = 4
    deterministic: bool = False

    def __post_init__(self) -> None:
        """Refuse what the controls do not offer."""
        require_offered("batch", self.batch, COMPANY)
        require_offered("deterministic", self.deterministic, (False, True))


@dataclass(frozen=True)
class BitsResult:
    """Each request's largest difference between alone and together, or why the mode was refused."""

    choice: BitsChoice
    found: Mapping[str, float]
    refusal: str = ""

    @property
    def largest(self) -> float:
        """The largest of them."""
        return max(self.found.values(), default=0.0)

    @property
    def title(self) -> str:
        """The message: in the mode, any difference is a leak; without it, size alone does not decide."""
        if self.refusal:
            return "Refused: this engine cannot keep the promise"
        if self.largest == 0:
            return "Alone or together: not a bit differs"
        if self.choice.deterministic:
            return "In the mode any difference is a leak"
        if self.largest <= TOLERANCE:
            return "Below the tolerance: rounding?"
        return "Above the tolerance: rounding or leak?"

    @property
    def text(self) -> str:
        """The result as one line."""
        mode = "on" if self.choice.deterministic else "off"
        said = self.refusal or f"logits differ by {self.largest:.1g} at most"
        return f"deterministic {mode}, {count(self.choice.batch, 'request')}: {said}"


def run_bits(choice: BitsChoice, runner: type[Runner], model: GPT) -> BitsResult:
    """Serve prompts of different lengths alone and together, and compare their logits."""
    vocab = model.config.vocab_size
    prompts = {f"r{n}": np.random.default_rng(n).integers(0, vocab, 3 + 2 * n).tolist() for n in range(choice.batch)}
    try:
        options = {"limits": SMALL, "deterministic": choice.deterministic, "runner": runner}
        return BitsResult(choice, apart(model, prompts, 2, **options))
    except NotInvariant as refusal:
        return BitsResult(choice, {}, str(refusal).split(" (")[0])


class BitsPanel(PicturePanel):
    """Runner, mode and batch above, each request's difference below."""

    caption = "A mark is a request: by how much its logits in the batch differ from those that it gets alone."

    def __init__(self, runners: Mapping[str, type[Runner]], model: GPT, choice: BitsChoice) -> None:
        """Show the choice with the first runner; each change serves anew."""
        self.runners, self.model = dict(runners), model
        self.runner = widgets.Dropdown(options=list(self.runners), description="pass", **LOOK)
        self.batch = widgets.SelectionSlider(
            options=list(COMPANY), value=choice.batch, description="requests", continuous_update=False, **LOOK)
        self.deterministic = widgets.Checkbox(choice.deterministic, description="deterministic", **LOOK)
        controls = {"runner": self.runner, "batch": self.batch, "deterministic": self.deterministic}
        self.arrange("bits", controls)
        self.watch(controls.values())
        self.show()

    def picture(self) -> Picture:
        """Serve what the controls choose; a refusal has no picture."""
        choice = BitsChoice(self.batch.value, self.deterministic.value)
        self.run = run_bits(choice, self.runners[self.runner.value], self.model)
        image = figures.differences(self.run.found, self.run.title, TOLERANCE).png(dpi=100) if self.run.found else b""
        return Picture(self.run.title, f"{self.runner.value}: {self.run.text}", image,
                       facts={"largest": f"{self.run.largest:.1g}"})  # fmt: skip


def bits_panel(runners: Mapping[str, type[Runner]], model: GPT, **settings: Any) -> BitsPanel:
    """Return the panel of bits. runners: {what it does: a Runner class}, the first one is shown.

    settings: those of BitsChoice. Raises ValueError for no runner, or for a setting that cannot be.
    """
    _require_classes(runners, Runner)
    return BitsPanel(runners, model, chosen(BitsChoice, settings))


def _require_classes(named: Mapping[str, type], base: type) -> None:
    """Raise ValueError unless these are classes made from `base`, by name, one at least."""
    if not isinstance(named, Mapping) or not named or not all(
        type(name) is str and isinstance(kind, type) and issubclass(kind, base) for name, kind in named.items()
    ):  # fmt: skip
        raise ValueError(f"Give at least one class, as {{its name: the class}}. Each is a class of {base.__name__}.")
