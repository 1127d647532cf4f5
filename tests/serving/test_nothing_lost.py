"""Every request ends exactly once, whatever breaks off; blocks come back, and the next request is right."""

from __future__ import annotations

import random
import sys
import threading
from collections import Counter
from pathlib import Path
from types import FrameType

import pytest
from playing import by_the_model, clean, mixed, serve
from torch import Tensor

from sharedstate import serving
from sharedstate.model import GPT
from sharedstate.serving import ENDINGS, Engine, Limits, Request, Result

HOME = str(Path(serving.__file__).parent)
# Plain assignments after `try` and `finally`: without a call or a loop, where no interrupt can come in (unit 01).
ENGINE = (Path(HOME) / "engine.py").read_text(encoding="utf-8").splitlines()
FLAGS = ("self._inside = True", "self._inside = False")
GUARD = frozenset(n for n, line in enumerate(ENGINE, 1) if line.strip() in FLAGS)


def right(model: GPT, engine: Engine) -> None:
    """Hold that the engine is idle, and serves the next request as if nothing had been."""
    clean(engine)
    after = Request("after", [9, 8, 7] * 9, 5)
    assert serve(engine, [after])["after"].tokens == by_the_model(model, after)


def test_a_callback_that_raises_ends_its_own_request(model: GPT) -> None:
    requests = mixed(6)

    def fail(name: str, token: int) -> None:
        raise OSError("the client has gone")

    engine = Engine(model)
    found = serve(engine, [*requests, Request("bad", [1, 2], 5, on_token=fail)])
    assert found["bad"].status == "failed" and "OSError: the client has gone" in found["bad"].reason
    assert len(found["bad"].tokens) == 1
    assert all(found[r.id].tokens == by_the_model(model, r) for r in requests)
    right(model, engine)


@pytest.mark.parametrize("wrong", [lambda logits: 1 / 0, lambda logits: 61, lambda logits: "a", lambda logits: True])
def test_a_sampling_function_that_raises_ends_its_own_request(model: GPT, wrong: object) -> None:
    requests = mixed(4)
    engine = Engine(model)
    found = serve(engine, [Request("bad", [1, 2], 5, choose=wrong), *requests])
    assert found["bad"].status == "failed" and "choose raised" in found["bad"].reason
    assert all(found[r.id].tokens == by_the_model(model, r) for r in requests)
    right(model, engine)


def test_a_sampling_function_of_ones_own_may_spoil_its_logits(model: GPT) -> None:
    def last(logits: object) -> int:
        logits[:] = 0  # its copy
        return 60

    mine, other = Request("mine", [1, 2], 3, choose=last), Request("other", [3, 4], 6)
    found = serve(Engine(model), [mine, other])
    assert found["mine"].tokens == (60,) * 3 and found["other"].tokens == by_the_model(model, other)


def test_refusals_have_reasons_and_take_no_place(model: GPT) -> None:
    engine = Engine(model, Limits(max_batch=2, num_blocks=5, max_waiting=3))
    cases = {
        "vocabulary": Request("a", [1, 61], 1), "do not fit": Request("b", [1] * 60, 6),
    }  # fmt: skip
    for request in [*cases.values(), *(Request(f"r{n}", [1, 2], 2) for n in range(5))]:
        engine.add(request)
    found = engine.results()
    assert all(said in found[request.id].reason for said, request in cases.items())
    assert {name: r.status for name, r in found.items() if name[0] == "r"} == {"r3": "refused", "r4": "refused"}
    assert "queue is full" in found["r3"].reason
    with pytest.raises(ValueError, match="take another name"):
        engine.add(Request("r0", [1], 1))
    assert {r.status for r in engine.run().values()} == {"done"}
    engine.add(Request("r0", [1], 1))  # ended and asked for: the name is free again
    assert engine.run()["r0"].status == "done"
    right(model, engine)


def test_cancelled_while_it_waits_while_it_runs_and_out_of_a_callback(model: GPT) -> None:
    engine = Engine(model, Limits(max_batch=2))

    def cancel(name: str, token: int) -> None:
        engine.cancel("victim")

    for request in (Request("caller", [1], 4, on_token=cancel), Request("victim", [2], 9), Request("late", [3], 2)):
        engine.add(request)
    assert engine.cancel("late") and not engine.cancel("late")
    found = engine.run()
    ends = {name: r.status for name, r in found.items()}
    assert ends == {"caller": "done", "victim": "cancelled", "late": "cancelled"}
    with pytest.raises(KeyError):
        engine.cancel("nobody")
    right(model, engine)


def test_a_callback_cannot_begin_a_step(model: GPT) -> None:
    engine = Engine(model)
    found = serve(engine, [Request("a", [1], 3, on_token=lambda name, token: engine.step())])
    assert found["a"].status == "failed" and "a step is under way" in found["a"].reason.lower()
    right(model, engine)


class Cut(BaseException):
    """Like an interrupt: no `except Exception` holds it."""


def interrupted(engine: Engine, line: int) -> bool:
    """Step, and raise Cut at the line number `line` that runs inside the engine; False when there are fewer."""
    left = [line]

    def trace(frame: FrameType, event: str, arg: object) -> object:
        if not frame.f_code.co_filename.startswith(HOME):
            return None
        guarded = frame.f_code.co_filename.endswith("engine.py") and frame.f_lineno in GUARD
        if event == "line" and not guarded:
            left[0] -= 1
            if left[0] == 0:
                raise Cut
        return trace

    assert len(GUARD) == 3
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        engine.step()
        return False
    except Cut:
        return True
    finally:
        sys.settrace(before)


def test_an_interrupt_at_any_line_loses_and_doubles_nothing(model: GPT, exhaustive: bool) -> None:
    heard: Counter[tuple[str, int]] = Counter()

    def hear(name: str, token: int) -> None:
        heard[name, token] += 1

    requests = [Request(r.id, r.prompt, 6, on_token=hear) for r in mixed(5, 3, longest=40)]
    expected = {r.id: by_the_model(model, r) for r in requests}
    line, cuts = 1, 0
    while cuts == 0 or line is not None:
        heard.clear()
        engine = Engine(model, Limits(max_batch=3, num_blocks=9, max_tokens=40))
        for request in requests:
            engine.add(request)
        for _ in range(2 + line % 5):
            engine.step()
        if not interrupted(engine, line):
            break
        cuts += 1
        found = engine.run()
        assert {name: r.tokens for name, r in found.items()} == expected, line
        assert all(n <= Counter(expected[name])[token] for (name, token), n in heard.items()), line
        clean(engine)
        line += 5 if exhaustive else 17
    assert cuts > 10


def test_an_interrupt_inside_a_callback(model: GPT) -> None:
    def cut(name: str, token: int) -> None:
        if len(heard) == 2:
            heard.append(-1)
            raise Cut
        heard.append(token)

    heard: list[int] = []
    request = Request("a", [3, 4, 5], 6, on_token=cut)
    engine = Engine(model)
    engine.add(request)
    with pytest.raises(Cut):
        engine.run()
    assert engine.run()["a"].tokens == by_the_model(model, request)
    right(model, engine)


def soak(model: GPT, count: int, seed: int) -> Engine:
    """Serve `count` requests that come, are cancelled and fail at random; hold that none is lost and none is mixed."""
    dice, engine = random.Random(seed), Engine(model, Limits(max_batch=8, num_blocks=24, max_tokens=64, max_waiting=12))
    texts = mixed(40, seed, longest=40, most=10)
    answers = [by_the_model(model, text) for text in texts]
    sent: dict[str, int] = {}
    ended: dict[str, Result] = {}

    def trouble(*_: object) -> int:
        raise OSError("planted")

    threads = threading.active_count()  # other tests may have left some
    for _ in range(40 * count):
        if len(sent) >= count and len(ended) >= len(sent):  # the last round may send one or two more than count
            break
        for _ in range(dice.randrange(4) if len(sent) < count else 0):
            which, name = dice.randrange(40), f"q{len(sent)}"
            fields = {"on_token" if dice.random() < 0.5 else "choose": trouble} if dice.random() < 0.05 else {}
            sent[name] = which
            engine.add(Request(name, texts[which].prompt, texts[which].max_new_tokens, **fields))
        if dice.random() < 0.05:
            name = dice.choice(list(sent)[-12:] or [""])
            if name in sent and name not in ended:
                engine.cancel(name)
        if dice.random() < 0.05:
            interrupted(engine, dice.randrange(1, 200))
        engine.step()
        for name, result in engine.results().items():
            assert name in sent and name not in ended, "ended twice, or never sent"
            ended[name] = result
    assert ended.keys() == sent.keys()
    for name, result in ended.items():
        assert result.status in ENDINGS and result.tokens == answers[sent[name]][: len(result.tokens)], name
        assert (result.status == "done") == (result.tokens == answers[sent[name]] and not result.reason), name
    assert {r.status for r in ended.values()} == set(ENDINGS)
    assert threading.active_count() <= threads and not engine._lives
    right(model, engine)
    return engine


def test_soak(model: GPT, exhaustive: bool) -> None:
    engine = soak(model, 3_000 if exhaustive else 300, 1)
    books = (engine.store.index._entries, engine.store.index._hash_of, engine.store.rows, engine.scheduler.waiting)
    assert all(len(book) <= engine.limits.num_blocks for book in books)  # flat: nothing grows


def test_an_interrupted_model_is_tried_again(model: GPT) -> None:
    class Breaks(serving.Runner):
        broken = 3

        def norm(self, x: Tensor) -> Tensor:
            self.broken -= 1
            if self.broken == 0:
                raise RuntimeError("planted")
            return super().norm(x)

    engine, requests = Engine(model, runner=Breaks), mixed(4)
    for request in requests:
        engine.add(request)
    with pytest.raises(RuntimeError, match="planted"):
        engine.run()
    found = engine.run()
    assert all(found[r.id].tokens == by_the_model(model, r) for r in requests)
    right(model, engine)
