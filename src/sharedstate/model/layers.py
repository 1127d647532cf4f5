"""The small parts: layers whose weights come from a generator that the caller hands in."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils import skip_init

INIT_STD = 0.02


def seeded(seed: int) -> torch.Generator:
    """Return a generator of the CPU with this seed, owned by whoever asked."""
    return torch.Generator().manual_seed(seed)


def linear(inputs: int, outputs: int, generator: torch.Generator, std: float | None = None) -> nn.Linear:
    """Return a linear layer without bias, weights drawn from `generator` (std 1 / sqrt(inputs) unless told).

    nn.Linear alone would draw from torch's global generator: state that every caller shares.
    """
    layer = skip_init(nn.Linear, inputs, outputs, bias=False)
    nn.init.normal_(layer.weight, std=inputs**-0.5 if std is None else std, generator=generator)
    return layer


def embedding(count: int, size: int, generator: torch.Generator, std: float = INIT_STD) -> nn.Embedding:
    """Return an embedding [count, size] drawn from `generator`."""
    layer = skip_init(nn.Embedding, count, size)
    nn.init.normal_(layer.weight, std=std, generator=generator)
    return layer


class RMSNorm(nn.Module):
    """Scale each position to root mean square 1, then by a learned weight (arXiv 1910.07467)."""

    def __init__(self, size: int, eps: float = 1e-6) -> None:
        """Normalise the last axis, of `size`; eps keeps the root away from 0."""
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """Return x [..., size] normalised; each position is alone."""
        mean_square = x.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
        return x * torch.rsqrt(mean_square + self.eps) * self.weight  # [..., size]


class SwiGLU(nn.Module):
    """The feed-forward part: a gated layer, each position alone (arXiv 2002.05202)."""

    def __init__(self, size: int, hidden: int, *, generator: torch.Generator) -> None:
        """From size to hidden and back; weights drawn from `generator`."""
        super().__init__()
        self.gate_proj = linear(size, hidden, generator)
        self.up_proj = linear(size, hidden, generator)
        self.down_proj = linear(hidden, size, generator)

    def forward(self, x: Tensor) -> Tensor:
        """Return [..., size] for x [..., size]."""
        gate = nn.functional.silu(self.gate_proj(x))  # [..., hidden]
        return self.down_proj(gate * self.up_proj(x))  # [..., size]
