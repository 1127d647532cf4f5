"""The slot panel: batch size, who ends and when, and whether somebody new comes; see whose logits are wrong."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import ipywidgets as widgets
import torch
from torch import Tensor

from sharedstate import figures
from sharedstate.figures.slots import places
from sharedstate.kvcache import OwnerTags, SlotCache, SlotEngine
from sharedstate.model import GPT, GPTConfig
from sharedstate.panels.base import Picture, PicturePanel
from sharedstate.wording import count, listed

LETTERS = "abcde"
NEWCOMER = "new"
PROMPTS = ((3, 1, 4, 1, 5), (9, 2, 6), (5, 3, 5, 8), (9, 7, 9, 3, 2, 3), (8, 4))
ARRIVING = (6, 2, 6, 4)
STEPS, CAPACITY, VOCAB, SHOWN = 7, 16, 16, 9
TOLERANCE = 1e-9


@dataclass(frozen=True)
class BatchChoice:
    """What the controls say: requests in the batch, the number of the one that ends, before which step it ends, and
    whether a new one comes then, whose prompt takes this step. Raises ValueError for a setting that cannot be.
    """

    batch: int = 3
    ends: int = 0
    step: int = 2
    arrival: bool = False

    def __post_init__(self) -> None:
        """Refuse what the sliders do not offer."""
        for name in ("batch", "ends", "step"):
            if type(getattr(self, name)) is not int:
                raise ValueError(f"{name}={getattr(self, name)!r} must be a whole number.")
        if type(self.arrival) is not bool:
            raise ValueError(f"arrival={self.arrival!r} must be True or False.")
        if not 1 <= self.batch <= len(LETTERS):
            raise ValueError(f"batch={self.batch!r} must lie between 1 and {len(LETTERS)}.")
        if not 0 <= self.ends < self.batch:
            raise ValueError(f"ends={self.ends!r} must be one of the {self.batch} requests, counted from 0.")
        if not 1 <= self.step < STEPS:
            raise ValueError(f"step={self.step!r} must lie between 1 and {STEPS - 1}.")


@dataclass(frozen=True)
class BatchRun:
    """What a choice gives: for each request the largest logit error at each step (None where it does not run), and
    what the owner tags said first ("" when they were quiet). pools: the cache before and after the end, for
    `figures.memory_map`; framed is what the request behind the one that ends reads.
    """

    choice: BatchChoice
    errors: Mapping[str, tuple[float | None, ...]]
    tag: str
    pools: Mapping[str, list]

    @property
    def hurt(self) -> tuple[str, ...]:
        """The requests with a wrong number."""
        return tuple(name for name, row in self.errors.items() if any(e is not None and e > TOLERANCE for e in row))

    @property
    def title(self) -> str:
        """The message."""
        gone = f"{LETTERS[self.choice.ends]} ends"
        if not self.hurt:
            return f"{gone}, and nobody is hurt"
        return f"{gone}, and {listed(self.hurt)} get{'s' * (len(self.hurt) == 1)} wrong logits"

    @property
    def text(self) -> str:
        """The result as one line."""
        tags = f"owner tags: {self.tag}" if self.tag else "owner tags: quiet"
        return f"{count(self.choice.batch, 'request')}; {self.title}; {tags}"


class _Bench:
    """A batch that is decoded with forced tokens, each request compared with itself alone at every step."""

    def __init__(self, choice: BatchChoice, cache: type) -> None:
        self.model = GPT(GPTConfig(vocab_size=VOCAB, max_len=CAPACITY), seed=0).double()
        self.tags = OwnerTags(record=True)
        self.engine = SlotEngine(self.model, choice.batch + 1, CAPACITY, self.tags, cache=cache)
        self.told: dict[str, list[int]] = {}
        self.errors: dict[str, list[float | None]] = {}

    def add(self, name: str, prompt: Sequence[int], step: int = 0) -> None:
        """Let a request come in this step, which goes to its prompt."""
        self.told[name], self.errors[name] = list(prompt), [None] * step
        self._note(name, self.engine.add(name, self.told[name]))

    def step(self, step: int) -> None:
        """One token for each that runs and did not come in this very step; the others get None."""
        going = [name for name in self.engine.running if len(self.errors[name]) <= step]
        tokens = {name: (7 * step + ord(name[0])) % VOCAB for name in going}
        for name, token in tokens.items():
            self.told[name].append(token)
        for name, logits in (self.engine.step(tokens) if tokens else {}).items():
            self._note(name, logits)
        for row in self.errors.values():
            row.extend([None] * (step + 1 - len(row)))

    def pool(self, readers: str) -> list:
        """Return the first layer of the cache as Places, with a frame around what the first of `readers` reads."""
        cache, reads = self.engine.cache, []
        if readers:
            slot = self.engine.slot_of(readers[0])
            reads = [(cache.row_of(slot), column) for column in range(cache.length(slot))]
        return places(cache, reads=reads, columns=SHOWN)

    def _note(self, name: str, logits: Tensor) -> None:
        with torch.no_grad():
            alone = self.model(torch.tensor([self.told[name]]))[0, -1]
        self.errors[name].append((logits - alone).abs().max().item())


def run_batch(choice: BatchChoice, cache: type) -> BatchRun:
    """Decode the batch in float64 with a cache of this class, and compare each step with the same request alone."""
    bench, names = _Bench(choice, cache), LETTERS[: choice.batch]
    for name, prompt in zip(names, PROMPTS, strict=False):
        bench.add(name, prompt)
    pools = {}
    for step in range(1, STEPS):
        if step == choice.step:
            pools[f"before {names[choice.ends]} ends"] = bench.pool(names[choice.ends + 1:])
            bench.engine.finish(names[choice.ends])
            pools[f"after {names[choice.ends]} has ended"] = bench.pool(names[choice.ends + 1:])
            if choice.arrival:
                bench.add(NEWCOMER, ARRIVING, step)
        bench.step(step)
    violations = bench.tags.violations
    errors = {name: tuple(row) for name, row in bench.errors.items()}
    return BatchRun(choice, errors, str(violations[0]) if violations else "", pools)


def batch_png(run: BatchRun) -> bytes:
    """Draw a run and return the picture's bytes."""
    return figures.request_errors(run.errors, run.title[0].upper() + run.title[1:], TOLERANCE).png(dpi=100)


class SlotPanel(PicturePanel):
    """Controls above, the picture of who is hurt below, and the result as text."""

    caption = (
        "A row is a request, a column a step; a cell has the largest error of the logits, against the request alone."
    )

    def __init__(self, caches: Mapping[str, type], choice: BatchChoice) -> None:
        """Show the choice with the first of `caches`; each change of a control decodes the batch again."""
        look = {"style": {"description_width": "9em"}, "layout": widgets.Layout(width="26em")}
        late = {"continuous_update": False, **look}
        self.caches = dict(caches)
        self.cache = widgets.Dropdown(options=list(caches), description="rows found by", **look)
        self.batch = widgets.IntSlider(choice.batch, 1, len(LETTERS), description="batch size", **late)
        self.ends = widgets.SelectionSlider(
            options=list(LETTERS[: choice.batch]), value=LETTERS[choice.ends], description="who ends", **late)
        self.step = widgets.IntSlider(choice.step, 1, STEPS - 1, description="before step", **late)
        self.arrival = widgets.Checkbox(choice.arrival, description="a new one comes", **look)
        controls = {"cache": self.cache, "batch": self.batch, "ends": self.ends, "step": self.step,
                    "arrival": self.arrival}  # fmt: skip
        self.arrange("slot", controls)
        self.batch.observe(self._resize, names="value")
        self.watch([control for name, control in controls.items() if name != "batch"])
        self.show()

    def _resize(self, change: object) -> None:
        """A smaller batch has fewer who can end: if that one is no longer there, the last one ends."""
        before, letters = self.ends.value, list(LETTERS[: self.batch.value])
        self.ends.unobserve(self.show, names="value")      # new options choose the first; that is nobody's wish
        self.ends.options = letters
        self.ends.value = before if before in letters else letters[-1]
        self.ends.observe(self.show, names="value")
        self.show(change)

    def choice(self) -> BatchChoice:
        """Return what the controls say."""
        return BatchChoice(self.batch.value, LETTERS.index(self.ends.value), self.step.value, self.arrival.value)

    def picture(self) -> Picture:
        """Decode the batch."""
        self.run = run_batch(self.choice(), self.caches[self.cache.value])
        return Picture(self.run.title, self.run.text, batch_png(self.run), facts={"hurt": len(self.run.hurt)})

    def show(self, change: object = None) -> None:
        """Decode and show; a cache of the learner's own, with a bug: say so where the result would be."""
        try:
            super().show(change)
        except Exception as error:
            if change is None:
                raise
            said = f"{self.cache.value} raised {type(error).__name__}: {error}"
            self.figure.value, self.line.value = "", f'<span role="status">{html.escape(said)}</span>'


def slot_panel(
    caches: Mapping[str, type], batch: int = 3, ends: int = 0, step: int = 2, arrival: bool = False
) -> SlotPanel:
    """Return the slot panel, its controls set to these values.

    caches: {what rows are found by: a SlotCache class}, the first one is shown. Raises ValueError for none, or for a
    setting that cannot be.
    """
    def usable(name: object, kind: object) -> bool:
        return type(name) is str and isinstance(kind, type) and issubclass(kind, SlotCache)

    if not isinstance(caches, Mapping) or not caches or not all(usable(*item) for item in caches.items()):
        raise ValueError("Give at least one class of cache, as {its name: the class}. A cache is a SlotCache.")
    return SlotPanel(caches, BatchChoice(batch, ends, step, arrival))
