"""The serving engine beside transformers, on the same weights: whole workloads, single steps, the price of a promise.

One process, one thread, fp32, random weights; a ratio is the median of alternating rounds, `spread` half the distance
between the quartiles. transformers 5.24.0 is needed (extra peers). "static" is its `generate` on batches of 16 in order
of arrival, padded at the left; "continuous" its own continuous batching. tiny: 4 layers, width 128; small: 8 layers,
width 512.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from transformers import DynamicCache, GenerationConfig, LlamaConfig, LlamaForCausalLM
from transformers.generation.configuration_utils import ContinuousBatchingConfig

from sharedstate.commands.bench import half_range
from sharedstate.model import GPT, GPTConfig, load_llama
from sharedstate.serving import Engine, Limits, Request, Sampling, draw
from sharedstate.serving.contiguous import ContiguousStore
from sharedstate.serving.metrics import ttft
from sharedstate.serving.requests import Result

ROUNDS = 7
SHAPES = (
    ("tiny", GPTConfig(256, 4, 128, 4, 2, 384, 2048)),
    ("small", GPTConfig(4096, 8, 512, 8, 4, 1536, 2048)),
)
Action = Callable[[], float]


def pair(name: str) -> tuple[GPT, LlamaForCausalLM]:
    """Return our model and transformers', with the same random weights."""
    shape = dict(SHAPES)[name]
    config = LlamaConfig(
        vocab_size=shape.vocab_size, hidden_size=shape.d_model, intermediate_size=shape.d_hidden,
        num_hidden_layers=shape.num_layers, num_attention_heads=shape.num_heads,
        num_key_value_heads=shape.num_kv_heads, max_position_embeddings=shape.max_len, attn_implementation="sdpa",
        pad_token_id=0, bos_token_id=1, eos_token_id=None,
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(0)
        theirs = LlamaForCausalLM(config).eval()
    return load_llama(theirs.state_dict(), config), theirs


# --- workloads


def skewed(vocab: int, count: int = 64) -> list[Request]:
    """Return requests of skewed lengths: prompts lognormal (median 128, 16 to 512), answers geometric (mean 54)."""
    dice = np.random.default_rng(4)  # 10,298 prompt tokens and 3,444 new ones
    prompts = np.clip(np.exp(dice.normal(np.log(128), 0.8, count)), 16, 512).astype(int)
    answers = np.clip(dice.geometric(1 / 54, count), 4, 256)
    return [
        Request(f"r{n}", dice.integers(0, vocab, int(p)).tolist(), int(a))
        for n, (p, a) in enumerate(zip(prompts, answers, strict=True))
    ]


def shared(vocab: int, count: int = 64) -> list[Request]:
    """Return requests whose prompts of 400 tokens begin with the same 320."""
    dice = np.random.default_rng(1)
    first = dice.integers(0, vocab, 320).tolist()
    return [Request(f"r{n}", first + dice.integers(0, vocab, 80).tolist(), 16) for n in range(count)]


def uneven(batch: int, context: int) -> list[int]:
    """Return lengths within 25 % of each other, the longest `context`."""
    dice = np.random.default_rng(2)
    return [context, *(int(context * share) for share in dice.uniform(0.75, 1, batch - 1))]


# --- what is timed, in seconds


def ours(model: GPT, requests: Sequence[Request], **options: Any) -> tuple[float, list[Result]]:
    """Serve them all; return the time, without making the engine, and the results."""
    engine = Engine(model, Limits(num_blocks=1025), **options)
    started = time.perf_counter()
    for request in requests:
        engine.add(request)
    found = engine.run()
    taken = time.perf_counter() - started
    assert all(result.status == "done" for result in found.values()), "a request was lost"
    return taken, list(found.values())


@torch.no_grad()
def static(theirs: LlamaForCausalLM, requests: Sequence[Request]) -> float:
    """Serve them by `generate` in batches of 16; each batch runs until its longest answer is there."""
    started = time.perf_counter()
    for first in range(0, len(requests), 16):
        batch = requests[first : first + 16]
        width = max(len(r.prompt) for r in batch)
        tokens = torch.tensor([[0] * (width - len(r.prompt)) + list(r.prompt) for r in batch])
        real = torch.tensor([[0] * (width - len(r.prompt)) + [1] * len(r.prompt) for r in batch])
        most = max(r.max_new_tokens for r in batch)
        theirs.generate(tokens, attention_mask=real, max_new_tokens=most, min_new_tokens=most, do_sample=False)
    return time.perf_counter() - started


@torch.no_grad()
def continuous(theirs: LlamaForCausalLM, requests: Sequence[Request]) -> float:
    """Serve them by transformers' own continuous batching, all answers as long as asked for."""
    settings = GenerationConfig(max_new_tokens=256, do_sample=False, eos_token_id=-1, pad_token_id=0)
    started = time.perf_counter()
    with theirs.continuous_batching_context_manager(
        generation_config=settings,
        continuous_batching_config=ContinuousBatchingConfig(num_blocks=1024, block_size=16, max_batch_tokens=512),
    ) as manager:
        for request in requests:
            manager.add_request(list(request.prompt), request_id=request.id, max_new_tokens=request.max_new_tokens)
        done = 0
        while done < len(requests):
            result = manager.get_result(timeout=1)
            done += result is not None and result.is_finished()
    return time.perf_counter() - started


class Decoding:
    """A batch that has its keys and values already, random ones: `run` times 8 decode steps, as often as asked."""

    STEPS = 8

    def __init__(self, model: GPT, lengths: Sequence[int], rounds: int = ROUNDS, **options: Any) -> None:
        """Seat everybody, with all but the last token of the prompt counted as computed."""
        dice, vocab = np.random.default_rng(3), model.config.vocab_size
        size = 1536 if options.get("store") is ContiguousStore else 16
        blocks = 1 + len(lengths) * -(-(max(lengths) + self.STEPS * (rounds + 2)) // size)
        limits = Limits(max_batch=len(lengths), num_blocks=blocks, block_size=size)
        self.engine = Engine(model, limits, prefix=False, **options)
        for n, length in enumerate(lengths):
            self.engine.add(Request(str(n), dice.integers(0, vocab, length).tolist(), self.STEPS * (rounds + 2) - 1))
        self.engine.store.data.normal_(generator=torch.Generator().manual_seed(0))
        for live in list(self.engine.scheduler.waiting):
            self.engine.scheduler.admit(live)
            self.engine.store.extend(live, len(live.tokens) - 1)
            live.num_computed = len(live.tokens) - 1
        self.run()

    def lives(self) -> list[Any]:
        """Everybody in the engine."""
        return [*self.engine.store.seated, *self.engine.scheduler.waiting]

    def run(self) -> float:
        """Return the seconds of one step."""
        started = time.perf_counter()
        for _ in range(self.STEPS):
            self.engine.step()
        return (time.perf_counter() - started) / self.STEPS


class Generating:
    """The same for `generate`: the cache is filled once, 8 tokens are generated after it, as often as asked."""

    STEPS = 8

    def __init__(self, theirs: LlamaForCausalLM, lengths: Sequence[int]) -> None:
        """Fill the cache with random numbers for everything but the last token, padded at the left."""
        self.theirs, width, dice, shape = theirs, max(lengths), np.random.default_rng(3), theirs.config
        self.tokens = torch.from_numpy(dice.integers(0, theirs.config.vocab_size, (len(lengths), width)))
        self.real = torch.tensor([[0] * (width - n) + [1] * n for n in lengths])
        self.cache = DynamicCache(config=theirs.config)
        size = (len(lengths), shape.num_key_value_heads, width - 1, shape.hidden_size // shape.num_attention_heads)
        for layer in range(shape.num_hidden_layers):
            k, v = torch.randn(2, *size, generator=torch.Generator().manual_seed(layer))
            self.cache.update(k, v, layer)

    def run(self) -> float:
        """Return the seconds of one step; filling the cache is not counted."""
        self.cache.crop(self.tokens.shape[1] - 1 - self.cache.get_seq_length())  # negative: so many away
        started = time.perf_counter()
        with torch.no_grad():
            self.theirs.generate(
                self.tokens, attention_mask=self.real, past_key_values=self.cache, max_new_tokens=self.STEPS,
                min_new_tokens=self.STEPS, do_sample=False,
            )  # fmt: skip
        return (time.perf_counter() - started) / self.STEPS


# --- ratios


def rounds(first: Action, second: Action, count: int = ROUNDS) -> tuple[float, float]:
    """Return the median of first / second over alternating rounds, and its spread."""
    second()
    ratios = []
    for n in range(count):
        a, b = (first(), second()) if n % 2 else (second(), first())[::-1]
        ratios.append(a / b)
    return statistics.median(ratios), half_range(ratios)


def bandwidth() -> float:
    """Return the bytes a second that one thread reads, measured on 256 MB."""
    data = torch.ones(64 << 20)
    times = []
    for _ in range(5):
        started = time.perf_counter()
        data.sum()
        times.append(time.perf_counter() - started)
    return data.numel() * data.element_size() / min(times)


def floor_share(model: GPT, decoding: Decoding) -> tuple[float, float]:
    """Return which share of the time of a step its bytes alone would need (weights, keys, values), and the spread."""
    shape = model.config
    weights = sum(p.numel() * p.element_size() for p in model.parameters()) - model.embed_tokens.weight.numel() * 4
    shares = []
    for _ in range(ROUNDS):
        rate, taken = bandwidth(), decoding.run()
        context = sum(live.num_computed for live in decoding.lives())
        kept = context * 2 * shape.num_layers * shape.num_kv_heads * shape.head_dim * 4
        shares.append((weights + kept) / rate / taken)
    return statistics.median(shares), half_range(shares)


def sampling() -> tuple[float, float]:
    """Return how much faster a batch of 32 is drawn than by a loop of multinomials, one generator a request."""
    logits = torch.randn(32, 4096, generator=torch.Generator().manual_seed(0))
    generators = [torch.Generator().manual_seed(n) for n in range(32)]
    own, uniforms = [Sampling(temperature=0.8)] * 32, np.random.default_rng(0).random(32).tolist()

    def timed(action: Callable[[], object]) -> float:
        started = time.perf_counter()
        for _ in range(20):
            action()
        return time.perf_counter() - started

    def loop() -> list[int]:
        return [
            int(torch.multinomial(torch.softmax(row / 0.8, -1), 1, generator=generator))
            for row, generator in zip(logits, generators, strict=True)
        ]

    return rounds(lambda: timed(loop), lambda: timed(lambda: draw(logits, own, uniforms)))


def steps(model: GPT, theirs: LlamaForCausalLM, batch: int, context: int) -> tuple[float, float]:
    """Return `generate`'s time for a decode step over ours."""
    lengths = uneven(batch, context)
    return rounds(Generating(theirs, lengths).run, Decoding(model, lengths, rounds=2 * ROUNDS).run)


def paged_tax(model: GPT) -> tuple[float, float]:
    """Return a paged step's time over a contiguous one's, the largest of four configurations."""
    found = []
    for batch in (8, 32):
        for context in (128, 1024):
            lengths = uneven(batch, context)
            slots = Decoding(model, lengths, rounds=2 * ROUNDS, store=ContiguousStore)
            found.append(rounds(Decoding(model, lengths, rounds=2 * ROUNDS).run, slots.run))
    return max(found)


def prefix(model: GPT) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the total time, and the mean time to first token, without the prefix cache over with it."""
    work, totals, firsts = shared(model.config.vocab_size), [], []
    for _ in range(ROUNDS):
        (off, without), (on, having) = ours(model, work, prefix=False), ours(model, work)
        totals.append(off / on)
        firsts.append(statistics.fmean(map(ttft, without)) / statistics.fmean(map(ttft, having)))
    return (statistics.median(totals), half_range(totals)), (statistics.median(firsts), half_range(firsts))


def figures(names: Sequence[str] = ()) -> dict[str, tuple[float, float]]:
    """Return {figure: (median, spread)}: those named, or all."""
    (tiny, their_tiny), (small, their_small) = pair("tiny"), pair("small")
    work, large = skewed(256), skewed(4096)
    found: dict[str, tuple[float, float]] = {}
    measures: dict[str, Callable[[], tuple[float, float]]] = {
        "skew_vs_static_tiny": lambda: rounds(lambda: static(their_tiny, work), lambda: ours(tiny, work)[0]),
        "skew_vs_static_small": lambda: rounds(lambda: static(their_small, large), lambda: ours(small, large)[0], 3),
        "skew_vs_continuous": lambda: rounds(lambda: continuous(their_tiny, work), lambda: ours(tiny, work)[0]),
        "decode_tiny_b1": lambda: steps(tiny, their_tiny, 1, 128),
        "decode_small_b1": lambda: steps(small, their_small, 1, 128),
        "decode_small_b32": lambda: steps(small, their_small, 32, 1024),
        "floor_share": lambda: floor_share(small, Decoding(small, [128], rounds=2 * ROUNDS)),
        "paged_tax": lambda: paged_tax(small),
        "invariant_cost": lambda: rounds(lambda: ours(tiny, work, deterministic=True)[0], lambda: ours(tiny, work)[0]),
        "sampling_ratio": sampling,
    }
    for name, measure in measures.items():
        if not names or name in names:
            found[name] = measure()
    if not names or {"prefix_total", "prefix_ttft"} & set(names):
        found["prefix_total"], found["prefix_ttft"] = prefix(tiny)
    return found


def run(names: Sequence[str] = ()) -> dict[str, Any]:
    """Measure everything (or what is named) with one thread; return one flat object with its spread."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        found = figures(names)
    finally:
        torch.set_num_threads(threads)
    return {**{name: value for name, (value, _) in found.items()}, "spread": {n: s for n, (_, s) in found.items()}}
