"""Train, measure honestly, generate. Batches carry their own seed; nothing draws from a global generator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from sharedstate.model.layers import seeded

Loss = Callable[[nn.Module, Tensor], Tensor]


def iid_batches(vocab_size: int, length: int, batch: int, seed: int) -> Iterator[Tensor]:
    """Yield fresh batches [batch, length + 1] of independent uniform tokens, without end.

    Their entropy is known: no honest model predicts the next token with a loss below ln vocab_size.
    """
    generator = seeded(seed)
    while True:
        yield torch.randint(vocab_size, (batch, length + 1), generator=generator)  # [B, T + 1]


def text_batches(tokens: Tensor, length: int, batch: int, seed: int) -> Iterator[Tensor]:
    """Yield random pieces [batch, length + 1] of a text's tokens [N], without end.

    Raises ValueError when the text is shorter than a piece.
    """
    if len(tokens) <= length:
        raise ValueError(f"The text has {len(tokens)} tokens: a piece needs length + 1 = {length + 1}.")
    generator, pieces = seeded(seed), tokens.unfold(0, length + 1, 1)  # [N - length, T + 1]
    while True:
        yield pieces[torch.randint(len(pieces), (batch,), generator=generator)]  # [B, T + 1]


def on_device(model: object, tokens: Tensor) -> Tensor:
    """Return the tokens where the model's weights are; a model without weights takes them where they lie."""
    weight = next(model.parameters(), None) if isinstance(model, nn.Module) else None
    return tokens if weight is None else tokens.to(weight.device)


def next_token_loss(model: nn.Module, tokens: Tensor) -> Tensor:
    """Return the teacher-forced loss over all positions of tokens [B, T + 1], in nats.

    The input holds the answer of every position but the last: a model without a causal mask reads it there.
    """
    tokens = on_device(model, tokens)  # [B, T + 1]
    logits = model(tokens[:, :-1])  # [B, T, V]
    return nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


def last_position_loss(model: nn.Module, tokens: Tensor) -> Tensor:
    """Return the loss of the last position of tokens [B, T + 1] alone: its answer is not in the input."""
    tokens = on_device(model, tokens)  # [B, T + 1]
    logits = model(tokens[:, :-1])[:, -1]  # [B, V]
    return nn.functional.cross_entropy(logits, tokens[:, -1])


def evaluate(model: nn.Module, loss: Loss, batches: Iterable[Tensor]) -> float:
    """Return the mean of a loss over some batches (a finite iterable), without training."""
    with torch.no_grad():
        values = [loss(model, tokens).item() for tokens in batches]
    return sum(values) / len(values)


@dataclass(frozen=True)
class History:
    """What a training run saw: each step's loss, and what was watched, {name: ((step, value), ...)}."""

    losses: tuple[float, ...]
    watched: Mapping[str, tuple[tuple[int, float], ...]] = field(default_factory=dict)

    def first_below(self, threshold: float) -> int | None:
        """Return the first step (counted from 1) with a loss below the threshold, or None."""
        return next((step for step, loss in enumerate(self.losses, 1) if loss < threshold), None)


def train(
    model: nn.Module,
    batches: Iterator[Tensor],
    steps: int,
    *,
    lr: float | Callable[[int], float] = 5e-3,
    watch: Mapping[str, Callable[[nn.Module], float]] | None = None,
    every: int = 10,
) -> History:
    """Train in place with AdamW on the teacher-forced loss, `steps` batches; return the history.

    lr may be a function of the step (from 0). Each function of `watch` gets the model before the first step,
    then after every `every` steps.
    """
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    losses: list[float] = []
    seen: dict[str, list[tuple[int, float]]] = {name: [] for name in watch or {}}
    for step in range(steps + 1):
        if step % every == 0:
            for name, measure in (watch or {}).items():
                seen[name].append((step, measure(model)))
        if step < steps:
            optimizer.param_groups[0]["lr"] = lr(step) if callable(lr) else lr
            losses.append(train_step(model, optimizer, next(batches)))
    return History(tuple(losses), {name: tuple(values) for name, values in seen.items()})


def train_step(model: nn.Module, optimizer: torch.optim.Optimizer, tokens: Tensor) -> float:
    """Take one step on tokens [B, T + 1]; return the loss before it."""
    loss = next_token_loss(model, tokens)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


class Configured(Protocol):
    """A model that knows how many positions it has: a GPT, or what has its form."""

    @property
    def config(self) -> Any:
        """The shape, with `max_len`."""

    def __call__(self, tokens: Tensor) -> Tensor:
        """Return logits [B, S, V] for tokens [B, S]."""


@torch.no_grad()
def generate(
    model: Configured,
    prompt: Tensor,
    new_tokens: int,
    *,
    temperature: float = 0.0,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Return prompt [S] and new_tokens after it, [S + new_tokens]: one by one, no future exists.

    Temperature 0 takes the likeliest token; above 0 it draws, and needs a generator (ValueError without).
    The model sees the last config.max_len tokens.
    """
    if temperature > 0 and generator is None:
        raise ValueError("Drawing tokens needs a generator of your own: generator=seeded(0).")
    tokens = on_device(model, prompt)  # [S]
    for _ in range(new_tokens):
        logits = model(tokens[None, -model.config.max_len :])[0, -1]  # [V]
        if temperature > 0:
            chances = torch.softmax(logits / temperature, dim=-1)  # [V]
            at = chances.device if generator is None else generator.device
            chosen = torch.multinomial(chances.to(at), 1, generator=generator).to(tokens.device)  # [1]
        else:
            chosen = logits.argmax(keepdim=True)  # [1]
        tokens = torch.cat((tokens, chosen))  # [S + 1]
    return tokens
