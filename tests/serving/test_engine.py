"""The engine against the model without a cache, and against transformers with the same weights."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import torch
from playing import Remembering, by_the_model, clean, mixed, serve

from sharedstate import serving
from sharedstate.kvcache import OwnershipViolation, OwnerTags
from sharedstate.model import GPT, GPTConfig, full_mask, load_llama
from sharedstate.serving import Engine, Group, Limits, PagedStore, Request, Span
from sharedstate.serving.contiguous import ContiguousStore

SIZES = {"tiny": (256, 4, 128, 4, 2, 384), "small": (4096, 8, 512, 8, 4, 1536)}


@pytest.mark.parametrize("options", [{}, {"deterministic": True}, {"prefix": False}, {"static": True},
                                     {"order": "longest"}, {"order": "fair"}], ids=str)  # fmt: skip
def test_greedy_answers_are_the_models_own(model: GPT, options: dict) -> None:
    requests = mixed(12)
    engine = Engine(model, Limits(max_batch=5, max_tokens=70), **options)
    found = serve(engine, requests)
    assert {name: result.tokens for name, result in found.items()} == {r.id: by_the_model(model, r) for r in requests}
    clean(engine)


@pytest.mark.parametrize("positions", ["learned", "none"])
def test_other_positions(positions: str) -> None:
    model = GPT(GPTConfig(61, 2, 32, 4, 4, 64, 128, positions), seed=1)
    requests = mixed(5, longest=40)
    assert [r.tokens for r in serve(Engine(model), requests).values()] == [by_the_model(model, r) for r in requests]
    refused = serve(Engine(model), [Request("long", [1] * 120, 20)])["long"]
    assert refused.status == ("refused" if positions == "learned" else "done")


@pytest.mark.parametrize("size", ["tiny", pytest.param("small", marks=pytest.mark.exhaustive)])
def test_64_mixed_requests_equal_transformers_generate(size: str, exhaustive: bool) -> None:
    vocab, layers, width, heads, kv_heads, hidden = SIZES[size]
    theirs = llama(vocab, layers, width, heads, kv_heads, hidden)
    requests = mixed(64, 5, vocab, *((200, 40) if exhaustive else (40, 8)))
    found = serve(Engine(load_llama(theirs.state_dict(), theirs.config)), requests)
    for request in requests:
        assert found[request.id].tokens == generated(theirs, request), request.id


def llama(vocab: int, layers: int, width: int, heads: int, kv_heads: int, hidden: int) -> torch.nn.Module:
    """Return a transformers Llama with random weights, made offline."""
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=vocab, hidden_size=width, intermediate_size=hidden, num_hidden_layers=layers,
        num_attention_heads=heads, num_key_value_heads=kv_heads, max_position_embeddings=2048,
        attn_implementation="sdpa", bos_token_id=None, eos_token_id=None, pad_token_id=0,
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(11)
        return LlamaForCausalLM(config).eval()


@torch.no_grad()
def generated(theirs: torch.nn.Module, request: Request) -> tuple[int, ...]:
    """Return what `generate` says to one request."""
    tokens = torch.tensor([request.prompt])
    new = {"max_new_tokens": request.max_new_tokens, "min_new_tokens": request.max_new_tokens, "do_sample": False}
    answer = theirs.generate(tokens, attention_mask=torch.ones_like(tokens), **new)
    return tuple(answer[0, len(request.prompt) :].tolist())


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-4), (torch.float64, 1e-12)])
@torch.no_grad()
def test_logits_within_the_tolerance(dtype: torch.dtype, tolerance: float) -> None:
    model = GPT(GPTConfig(61, 2, 32, 4, 2, 64, 512), seed=3).to(dtype)
    requests = mixed(10)
    engine = Engine(model, Limits(max_batch=4, max_tokens=50), runner=Remembering)
    found = serve(engine, requests)
    for request in requests:
        line = torch.tensor([[*request.prompt, *found[request.id].tokens]])
        right = model(line)[0, len(request.prompt) - 1 :]
        for place in range(request.max_new_tokens):
            (seen,) = engine.runner.seen[request.id, place]
            assert (seen - right[place]).abs().max() < tolerance


def test_the_contiguous_foil_gives_the_same_answers(model: GPT) -> None:
    requests = mixed(9)
    engine = Engine(model, Limits(max_batch=4, num_blocks=5, block_size=200), prefix=False, store=ContiguousStore)
    assert [r.tokens for r in serve(engine, requests).values()] == [by_the_model(model, r) for r in requests]
    clean(engine)


def test_streaming_gives_each_token_once_and_in_order(model: GPT) -> None:
    heard: list[tuple[str, int]] = []
    requests = mixed(4, on_token=lambda name, token: heard.append((name, token)))
    engine = Engine(model)
    for request in requests:
        engine.add(request)
    last = Request("last", [1, 2, 3], 6)
    assert tuple(engine.stream(last)) == by_the_model(model, last)
    found = engine.run()
    for request in requests:
        assert tuple(t for name, t in heard if name == request.id) == found[request.id].tokens
    assert len(found) == 5


def test_a_stop_token_ends_the_answer(model: GPT) -> None:
    free = by_the_model(model, Request("a", [5, 6, 7], 12))
    found = serve(Engine(model), [Request("a", [5, 6, 7], 12, stop=frozenset({free[4]}))])["a"]
    assert found.tokens == free[: free.index(free[4]) + 1] and found.status == "done"


def test_owner_tags_are_quiet_over_shared_pages_and_preemption(model: GPT) -> None:
    engine = Engine(model, Limits(max_batch=6, num_blocks=20, max_tokens=60), tags=OwnerTags())
    found = serve(engine, mixed(16))
    assert {r.status for r in found.values()} == {"done"}
    assert sum(r.hits for r in found.values()) > 100 and sum(r.preemptions for r in found.values()) > 0


class WrongRow(PagedStore):
    """Reads the row of the table before its own."""

    def group(self, spans: list[Span]) -> Group:
        found = super().group(spans)
        blocks = self.tables[[(span.live.row or 1) - 1 for span in spans], : found.blocks.shape[1]]
        index = (blocks[:, None] * self.shape.num_kv_heads)[None] + self._parts[:, None, :, None]
        return type(found)(spans, blocks, index.flatten(), found.width)


def test_owner_tags_see_a_wrong_row(model: GPT) -> None:
    engine = Engine(model, tags=OwnerTags(), store=WrongRow)
    with pytest.raises(OwnershipViolation):
        serve(engine, mixed(3))


def test_a_model_that_looks_both_ways_is_refused() -> None:
    with pytest.raises(ValueError, match="causal"):
        Engine(GPT(GPTConfig(11, 1, 8, 2), mask=full_mask))


def test_two_engines_in_one_process_never_meet(model: GPT) -> None:
    one, two, requests = Engine(model), Engine(model), mixed(6)
    for request in requests:
        one.add(request)
        two.add(request)
    while one.step() | two.step():
        pass
    assert {k: v.tokens for k, v in one.results().items()} == {k: v.tokens for k, v in two.results().items()}
    assert one.store.data.data_ptr() != two.store.data.data_ptr()


def test_the_engine_proper_can_be_read_in_an_evening() -> None:
    home = Path(serving.__file__).parent
    sizes = {name: without_docstrings(home / f"{name}.py") for name in ("scheduler", "engine", "sampler")}
    assert sum(sizes.values()) <= 500 and max(sizes.values()) <= 250, sizes
    assert all(len(path.read_text(encoding="utf-8").splitlines()) <= 250 for path in home.glob("*.py"))
    assert all(name in (serving.__doc__ or "") for name in sizes)


def without_docstrings(path: Path) -> int:
    """Return how many lines of code a module has."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(module):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
    return len(ast.unparse(module).splitlines())
