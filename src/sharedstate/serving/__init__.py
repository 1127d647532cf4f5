"""A serving engine: many requests in one batch, each as if it were alone.

To read it, take the modules in this order, an evening in all: requests (what is asked and answered), sampler (from
logits to a token), store (blocks and tables), weights and runner (one pass for many requests), scheduler (who is
next), engine (one step), rules (why the bits are the same), metrics. contiguous is the foil; counting serves without
a model, alone and judging compare and accuse.
"""

from __future__ import annotations

from sharedstate.serving.alone import apart
from sharedstate.serving.counting import MIXES, Counted, counted, knee, mix
from sharedstate.serving.engine import Engine, Limits
from sharedstate.serving.judging import judged
from sharedstate.serving.metrics import Metrics, Summary, hit_rate, summary, wasted
from sharedstate.serving.requests import (
    CANCELLED,
    DONE,
    ENDINGS,
    FAILED,
    GREEDY,
    REFUSED,
    Live,
    Request,
    Result,
    Sampling,
    generator_of,
)
from sharedstate.serving.rules import NotInvariant, broken_rules
from sharedstate.serving.runner import Runner
from sharedstate.serving.sampler import draw, probabilities
from sharedstate.serving.scheduler import ORDERS, Scheduler
from sharedstate.serving.store import Group, PagedStore, Span
from sharedstate.serving.weights import Weights

__all__ = [
    "CANCELLED",
    "DONE",
    "ENDINGS",
    "FAILED",
    "GREEDY",
    "MIXES",
    "ORDERS",
    "REFUSED",
    "Counted",
    "Engine",
    "Group",
    "Limits",
    "Live",
    "Metrics",
    "NotInvariant",
    "PagedStore",
    "Request",
    "Result",
    "Runner",
    "Sampling",
    "Scheduler",
    "Span",
    "Summary",
    "Weights",
    "apart",
    "broken_rules",
    "counted",
    "draw",
    "generator_of",
    "hit_rate",
    "judged",
    "knee",
    "mix",
    "probabilities",
    "summary",
    "wasted",
]
