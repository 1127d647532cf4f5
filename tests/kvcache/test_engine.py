"""The engine: a request in a batch gets what it would get alone, and a failure leaves everything as it was."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sharedstate.kvcache import (
    CacheFull,
    Interrupted,
    OwnerTags,
    PackedCache,
    SlotCache,
    SlotEngine,
    interrupt_once,
)
from sharedstate.model import GPT, GPTConfig, causal_mask, full_mask, prefix_mask, sliding_window_mask

VOCAB, CAPACITY = 12, 16
TOLERANCE = {torch.float64: 1e-12, torch.float32: 1e-4}


def build(kv_heads: int = 2, positions: str = "rope", dtype: torch.dtype = torch.float64) -> GPT:
    """A small model with four heads."""
    shape = GPTConfig(VOCAB, 2, 16, num_heads=4, num_kv_heads=kv_heads, max_len=CAPACITY, positions=positions)
    return GPT(shape, seed=kv_heads).to(dtype)


def lone(model: GPT, tokens: list[int]) -> torch.Tensor:
    """The logits after the last token, without any cache."""
    with torch.no_grad():
        return model(torch.tensor([tokens]))[0, -1]


class Watched:
    """An engine, and beside it the tokens of each request: every answer is compared with the model alone."""

    def __init__(self, model: GPT, kind: type[SlotCache], reuse: bool = False) -> None:
        self.engine = SlotEngine(model, 4, CAPACITY, OwnerTags(), cache=kind, reuse=reuse)
        self.model, self.tokens, self.worst, self.count = model, {}, 0.0, 0

    def compare(self, logits: dict[str, torch.Tensor]) -> None:
        """Note the largest error."""
        for request, row in logits.items():
            error = float((row - lone(self.model, self.tokens[request])).abs().max())
            self.worst = max(self.worst, error)

    def new(self, prompts: list[list[int]], side: str) -> None:
        """Add one alone, or several padded, as far as there are slots."""
        prompts = prompts[: len(self.engine.cache.free_slots)]
        named = {f"r{self.count + n}": prompt for n, prompt in enumerate(prompts)}
        self.count += len(named)
        self.tokens.update(named)
        if len(named) == 1:
            self.compare({name: self.engine.add(name, prompt) for name, prompt in named.items()})
        elif named:
            self.compare(self.engine.add_batch(named, side))

    def step(self, chosen: int, token: int) -> None:
        """One token for a subset of the requests, as far as they fit."""
        names = [name for n, name in enumerate(self.engine.running) if chosen >> n & 1]
        names = [name for name in names if self.engine.cache.length(self.engine.slot_of(name)) < CAPACITY]
        fed = {name: (token + n) % VOCAB for n, name in enumerate(names)}
        for name, one in fed.items():
            self.tokens[name] = [*self.tokens[name], one]
        if fed:
            self.compare(self.engine.step(fed))

    def end(self, which: int, word: str) -> None:
        """End one request."""
        if self.engine.running:
            name = self.engine.running[which % len(self.engine.running)]
            getattr(self.engine, word)(name)


PROMPT = st.lists(st.integers(0, VOCAB - 1), min_size=1, max_size=6)
ACTION = st.one_of(
    st.tuples(st.just("new"), st.lists(PROMPT, min_size=1, max_size=3), st.sampled_from(["left", "right"])),
    st.tuples(st.just("step"), st.integers(1, 15), st.integers(0, VOCAB - 1)),
    st.tuples(st.just("end"), st.integers(0, 3), st.sampled_from(["finish", "abort"])),
)
START = ("new", [[1, 2, 3], [4, 5]], "left")


def played(watched: Watched, actions: list[tuple]) -> Watched:
    """Do everything."""
    for word, *rest in actions:
        getattr(watched, word)(*rest)
    return watched


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.lists(ACTION, max_size=10),
    st.sampled_from([1, 2, 4]),
    st.sampled_from(["rope", "learned"]),
    st.sampled_from([SlotCache, PackedCache]),
    st.sampled_from([torch.float64, torch.float32]),
    st.booleans(),
)
def test_whoever_comes_and_goes_each_gets_what_it_would_get_alone(
    actions: list[tuple], kv_heads: int, positions: str, kind: type[SlotCache], dtype: torch.dtype, reuse: bool
) -> None:
    watched = played(Watched(build(kv_heads, positions, dtype), kind, reuse), [START, *actions])
    assert watched.worst < TOLERANCE[dtype]


BUSY = [
    START,
    ("new", [[1, 2, 3]], "left"),
    ("step", 7, 3),
    ("end", 0, "finish"),
    ("new", [[6, 7, 8, 9, 1], [2]], "right"),
    ("step", 15, 1),
    ("end", 1, "abort"),
    ("new", [[5, 5]], "left"),
    ("step", 15, 2),
]


@pytest.mark.parametrize("decision", ["hidden", "shift", "valid_length", "last_row", "renumber"])
def test_the_comparison_sees_a_wrong_decision(monkeypatch: pytest.MonkeyPatch, decision: str) -> None:
    wrong: dict[str, Callable] = {
        "hidden": lambda self, slot: 0,
        "shift": lambda self, slot: 0,
        "valid_length": lambda self, slot, layer: self.cache.extent(slot, layer),
        "last_row": lambda self, rows, logits: logits[:, -1],
        "renumber": lambda self, row: None,
    }
    kind = PackedCache if decision == "renumber" else SlotCache
    assert played(Watched(build(positions="learned"), kind), BUSY).worst < 1e-12
    monkeypatch.setattr(kind if decision == "renumber" else SlotEngine, decision, wrong[decision])
    watched = Watched(build(positions="learned"), kind)
    watched.engine.cache.tags = None
    assert played(watched, BUSY).worst > 1e-3


# --- a failure changes nothing


def state(engine: SlotEngine) -> tuple:
    """Everything that counts, the valid data included."""
    cache = engine.cache
    owned = [slot for slot in range(cache.num_slots) if cache.owner(slot) is not None]
    data = [
        pool[layer, cache.row_of(slot), :, : cache.length(slot, layer)].tolist()
        for pool in (cache.keys, cache.values)
        for slot in owned
        for layer in range(cache.num_layers)
    ]
    places = tuple(getattr(cache, "places", {}).items())
    kept = tuple(engine.prefixes._kept) if engine.prefixes else ()
    books = (tuple(cache.owners), tuple(cache.epochs), cache.lengths, cache.free_slots, places)
    return tuple(engine.slots.items()), tuple(engine.padded.items()), books, kept, data


OPERATIONS: dict[str, Callable[[SlotEngine], object]] = {
    "add": lambda e: e.add("new", [1, 2, 3]),
    "add a known prompt": lambda e: e.add("new", [1, 2, 3, 4]),
    "batch left": lambda e: e.add_batch({"new": [1, 2, 3], "newer": [5]}, "left"),
    "batch right": lambda e: e.add_batch({"new": [1, 2, 3], "newer": [5]}, "right"),
    "step": lambda e: e.step({"a": 1, "b": 2}),
}
PLACES = ("layers.0.self_attn.k_proj", "layers.0.mlp", "layers.1.input_layernorm", "layers.1.mlp", "norm", "lm_head")


def started(kind: type[SlotCache], model: GPT | None = None) -> SlotEngine:
    """An engine in which two requests run, and one has ended."""
    engine = SlotEngine(model or build(), 4, CAPACITY, OwnerTags(), cache=kind, reuse=True)
    engine.add("old", [1, 2, 3, 4])
    engine.add_batch({"a": [1, 2, 3], "b": [4]}, "left")
    engine.finish("old")
    engine.step({"a": 5, "b": 6})
    return engine


@pytest.mark.parametrize("kind", [SlotCache, PackedCache])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_that_breaks_off_changes_nothing_and_works_when_tried_again(
    operation: str, place: str, kind: type[SlotCache]
) -> None:
    engine, twin = started(kind), started(kind)
    before, act = state(engine), OPERATIONS[operation]
    with interrupt_once(engine.model.get_submodule(place)), pytest.raises(Interrupted):
        act(engine)
    assert state(engine) == before
    again, right = act(engine), act(twin)
    pairs = [(again, right)] if isinstance(again, torch.Tensor) else [(again[name], right[name]) for name in right]
    assert all(torch.equal(one, other) for one, other in pairs)
    steps = dict.fromkeys(engine.running, 1)
    later, right = engine.step(steps), twin.step(steps)
    assert all(torch.equal(later[name], right[name]) for name in steps)


@pytest.mark.parametrize("word", ["finish", "abort"])
def test_an_end_that_breaks_off_changes_nothing(word: str) -> None:
    engine = started(SlotCache)
    before = state(engine)

    def fail(slot: int) -> None:
        raise Interrupted

    engine.on_release = fail
    with pytest.raises(Interrupted):
        getattr(engine, word)("a")
    assert state(engine) == before
    del engine.on_release
    getattr(engine, word)("a")
    assert engine.running == ("b",)


@pytest.mark.parametrize("part", ["move_up", "renumber", "moved"])
def test_rows_that_break_off_on_their_way_are_put_back(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = started(PackedCache)
    engine.add("c", [7, 8, 9])
    before, mark = state(engine), engine.mark()
    owner = engine.cache.tags if part == "moved" else engine.cache
    whole, calls = getattr(owner, part), []

    def late(*given: object) -> None:
        whole(*given)
        calls.append(given)
        if part != "moved" or len(calls) == 2:
            raise Interrupted

    monkeypatch.setattr(owner, part, late)
    with pytest.raises(Interrupted):
        engine.finish("a")
    monkeypatch.undo()
    assert calls and state(engine) == before
    engine.undo(mark)
    engine.finish("a")
    assert (engine.step({"c": 1})["c"] - lone(engine.model, [7, 8, 9, 1])).abs().max() < 1e-12


def test_an_end_whose_data_is_gone_has_ended_and_says_what_broke_off() -> None:
    engine = started(PackedCache)

    def fail(slot: int) -> None:
        raise Interrupted

    engine.on_release = fail
    with pytest.raises(Interrupted):
        engine.finish("a")
    assert (engine.running, engine.cache.owners.count(None), len(engine.cache.places)) == (("b",), 3, 1)
    del engine.on_release
    assert (engine.step({"b": 1})["b"] - lone(engine.model, [4, 6, 1])).abs().max() < 1e-12


def test_a_padding_that_is_no_token_is_refused() -> None:
    with pytest.raises(ValueError, match="pad_token is a token"):
        SlotEngine(build(), 1, pad_token=99)


def test_the_state_is_compared_whole() -> None:
    engine, seen = started(SlotCache), []
    for change in (
        lambda: engine.step({"a": 1}),
        lambda: engine.finish("b"),
        lambda: engine.cache.allocate("c"),
        lambda: engine.cache.keys.__setitem__((0, engine.slot_of("a"), 0, 0), 7.0),
        lambda: engine.add("d", [9, 9]),
    ):
        seen.append(state(engine))
        change()
    assert all(one != other for n, one in enumerate(seen) for other in [*seen[n + 1 :], state(engine)])


REFUSED: tuple[tuple[str, type[Exception], str, Callable[[SlotEngine], object]], ...] = (
    ("a name that runs", ValueError, "already running", lambda e: e.add("a", [1])),
    ("no name", ValueError, "has a name", lambda e: e.add("", [1])),
    ("an empty prompt", ValueError, "is empty", lambda e: e.add("new", [])),
    ("a token too large", ValueError, "from 0 to 11, not 12", lambda e: e.add("new", [1, 12])),
    ("a negative token", ValueError, "not -1", lambda e: e.add("new", [-1])),
    ("a token that is no number", ValueError, "not True", lambda e: e.step({"a": True})),
    ("a prompt too long", CacheFull, "larger capacity", lambda e: e.add("new", [1] * 17)),
    ("too many at once", CacheFull, "3 new requests, 2 of 4 slots free",
     lambda e: e.add_batch({name: [1] for name in "xyz"})),
    ("one of the batch is bad", ValueError, "'y' is empty", lambda e: e.add_batch({"x": [1], "y": []})),
    ("nobody", ValueError, "at least one request", lambda e: e.add_batch({})),
    ("a prompt that is a number", ValueError, "a list of tokens, not int", lambda e: e.add("new", 5)),
    ("a prompt that is none", ValueError, "a list of tokens, not NoneType", lambda e: e.add_batch({"new": None})),
    ("a prompt of tensors", ValueError, "a list of tokens, not Tensor", lambda e: e.add("new", torch.tensor([1]))),
    ("names without prompts", ValueError, 'as {"name": .tokens.}, not as list', lambda e: e.add_batch(["new"])),
    ("tokens without names", ValueError, 'as {"name": token}, not as list', lambda e: e.step([1])),
    ("a side that is none", ValueError, '"left" or "right"', lambda e: e.add_batch({"x": [1]}, "middle")),
    ("a step of a stranger", ValueError, "'z' is running. Running: a, b", lambda e: e.step({"a": 1, "z": 1})),
    ("a step of nobody", ValueError, "at least one request", lambda e: e.step({})),
    ("the end of a stranger", ValueError, "No request 'z'", lambda e: e.finish("z")),
    ("the abort of a stranger", ValueError, "No request 'z'", lambda e: e.abort("z")),
)  # fmt: skip


@pytest.mark.parametrize(("error", "words", "act"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_is_refused_changes_nothing(
    error: type[Exception], words: str, act: Callable[[SlotEngine], object]
) -> None:
    engine = started(SlotCache)
    before, pool = state(engine), engine.cache.keys.clone()
    with pytest.raises(error, match=words):
        act(engine)
    assert state(engine) == before
    assert torch.equal(engine.cache.keys, pool)


def test_a_step_that_one_row_has_no_room_for_is_refused_for_all() -> None:
    engine = SlotEngine(build(), 2, 4)
    engine.add("full", [1, 2, 3, 4])
    engine.add("short", [1])
    before, passes = state(engine), []
    engine.model.norm.register_forward_pre_hook(lambda *_: passes.append(1))
    with pytest.raises(CacheFull, match="Slot 0 of 'full' holds 4 of 4 tokens"):
        engine.step({"short": 2, "full": 2})
    assert (state(engine), passes) == (before, [])


def test_the_last_place_of_a_slot_can_be_used() -> None:
    engine = SlotEngine(build(), 1, 4)
    engine.add("a", [1, 2, 3])
    assert (engine.step({"a": 4})["a"] - lone(engine.model, [1, 2, 3, 4])).abs().max() < 1e-12
    assert engine.cache.length(0) == 4


def test_too_few_positions_are_said_before_anything_happens() -> None:
    model = GPT(GPTConfig(VOCAB, 1, 16, max_len=4, positions="learned"))
    engine = SlotEngine(model, 2, 8)
    before = state(engine)
    with pytest.raises(ValueError, match="knows 4 positions"):
        engine.add("a", [1] * 5)
    engine.add("b", [1] * 4)
    with pytest.raises(ValueError, match="beyond max_len 4"):
        engine.step({"b": 1})
    engine.finish("b")
    assert state(engine)[2][2] == before[2][2]


# --- small things


def test_a_known_prompt_is_not_computed_again() -> None:
    engine = SlotEngine(build(), 2, CAPACITY, reuse=True)
    engine.add("a", [1, 2, 3, 4])
    widths: list[int] = []
    hook = engine.model.norm.register_forward_pre_hook(lambda _, given: widths.append(given[0].shape[1]))
    answer = engine.add("b", [1, 2, 3, 4])
    hook.remove()
    assert widths == [1]
    assert (answer - lone(engine.model, [1, 2, 3, 4])).abs().max() < 1e-12


def test_the_last_sixteen_prompts_are_kept_and_no_empty_prefix() -> None:
    engine = SlotEngine(build(), 1, CAPACITY, reuse=True)
    prompts = [(n // 12, n % 12, 5) for n in range(18)]
    for number, prompt in enumerate([(1,), *prompts]):
        engine.add(f"r{number}", list(prompt))
        engine.finish(f"r{number}")
    kept = [prompt for prompt in [(1,), *prompts] if engine.prefixes.find(prompt) is not None]
    assert kept == prompts[2:]


def test_the_first_to_come_under_a_key_stays() -> None:
    engine = SlotEngine(build(), 3, CAPACITY, reuse=True)
    engine.prefix_key = lambda request, prompt: len(prompt)
    for name, prompt in {"a": [1, 2, 3], "b": [4, 5, 6], "c": [7, 8, 9]}.items():
        engine.add(name, prompt)
    assert engine.prefixes.find(3).owner == "a"


def test_two_engines_of_one_model_never_meet() -> None:
    model = build()
    one, other = SlotEngine(model, 1, CAPACITY), SlotEngine(model, 1, CAPACITY)
    one.add("a", [1, 2, 3])
    other.add("a", [4, 5])
    assert (one.step({"a": 6})["a"] - lone(model, [1, 2, 3, 6])).abs().max() < 1e-12
    assert (other.step({"a": 7})["a"] - lone(model, [4, 5, 7])).abs().max() < 1e-12


def test_requests_are_named_in_the_order_they_came() -> None:
    engine = started(SlotCache)
    engine.add("c", [1])
    assert engine.running == ("a", "b", "c")
    assert [engine.slot_of(name) for name in engine.running] == [1, 2, 0]


def windowed(width: int) -> GPT:
    """A model whose tokens look at the last `width` tokens only."""
    shape = GPTConfig(VOCAB, 2, 16, num_heads=4, num_kv_heads=2, max_len=CAPACITY)
    return GPT(shape, seed=2, mask=lambda q_len, kv_len: sliding_window_mask(q_len, kv_len, width)).double()


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("width", [1, 3, 16])
def test_the_models_own_window_is_honoured_in_a_padded_batch(side: str, width: int) -> None:
    model, prompts = windowed(width), {"a": [1, 2, 3, 4, 5, 6], "b": [7, 8]}
    engine = SlotEngine(model, 2, CAPACITY)
    answers = engine.add_batch(prompts, side)
    for name, prompt in prompts.items():
        assert (answers[name] - lone(model, prompt)).abs().max() < 1e-12
    answers = engine.step({"a": 9, "b": 10})
    for name, prompt in prompts.items():
        assert (answers[name] - lone(model, [*prompt, 9 if name == "a" else 10])).abs().max() < 1e-12


def test_a_window_that_is_ignored_would_be_seen() -> None:
    engine = SlotEngine(windowed(3), 1, CAPACITY)
    engine.pattern = None
    assert (engine.add("a", [1, 2, 3, 4, 5, 6]) - lone(engine.model, [1, 2, 3, 4, 5, 6])).abs().max() > 1e-3


@pytest.mark.parametrize(("mask", "words"), [
    (full_mask, "token 0 look at token 1"),
    (lambda q, k: prefix_mask(q, k, min(3, k)), "token 0 look at token 1"),
    (lambda q, k: causal_mask(q, k) & ((torch.arange(k) + k) % 2 == 0), "not the same at every length"),
])  # fmt: skip
def test_a_mask_that_no_cache_can_serve_is_refused(mask: Callable, words: str) -> None:
    model = GPT(GPTConfig(VOCAB, 1, 16), mask=mask)
    with pytest.raises(ValueError, match=words):
        SlotEngine(model, 1, CAPACITY)
