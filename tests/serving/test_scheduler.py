"""Who is next: order, fairness, preemption, the static foil."""

from __future__ import annotations

import pytest
from playing import clean, mixed, serve

from sharedstate.kvcache import Factors
from sharedstate.model import GPT
from sharedstate.serving import Engine, Limits, Request, Sampling, summary, wasted
from sharedstate.serving.metrics import gaps, ttft


def short(name: str, new: int, tenant: str | None = None) -> Request:
    """Return a request with a short prompt."""
    return Request(name, [1, 2, 3], new, factors=Factors(tenant=tenant))


def begun(engine: Engine) -> list[str]:
    """Serve everything, and return the requests in the order in which they began."""
    found = engine.run()
    return sorted(found, key=lambda name: (found[name].started, found[name].token_times))


def test_static_batches_hold_the_short_ones_until_the_long_one_is_done(model: GPT) -> None:
    work = [short(f"r{n}", 24 if n == 1 else 3) for n in range(8)]
    steps = {}
    for static in (True, False):
        engine = Engine(model, Limits(max_batch=4), static=static)
        found = serve(engine, work)
        steps[static] = engine.metrics.steps
        if static:
            assert min(found[f"r{n}"].started for n in range(4, 8)) > found["r1"].token_times[-1]
    assert steps == {True: 27, False: 24}


def test_longest_first_begins_with_the_long_answers(model: GPT) -> None:
    engine = Engine(model, Limits(max_batch=1), order="longest")
    for n, new in enumerate((2, 9, 5)):
        engine.add(short(f"r{n}", new))
    assert begun(engine) == ["r1", "r2", "r0"]


def test_nobody_is_overtaken_for_ever(model: GPT) -> None:
    engine = Engine(model, Limits(max_batch=1), order="longest")
    engine.scheduler.patience = 3
    engine.add(short("small", 1))
    for n in range(9):
        engine.add(short(f"r{n}", 5))
    assert begun(engine).index("small") == 3


def test_a_tenant_with_many_requests_does_not_shut_out_another(model: GPT) -> None:
    engine = Engine(model, Limits(max_batch=2), order="fair")
    for n in range(6):
        engine.add(short(f"a{n}", 4, "a"))
    engine.add(short("b0", 4, "b"))
    assert begun(engine).index("b0") == 1


def test_the_oldest_is_never_preempted_and_all_end(model: GPT) -> None:
    engine = Engine(model, Limits(max_batch=6, num_blocks=9, max_tokens=64), prefix=False)
    found = serve(engine, [Request(f"r{n}", [n] * 20, 60) for n in range(6)])
    assert {r.status for r in found.values()} == {"done"} and found["r0"].preemptions == 0
    assert sum(r.preemptions for r in found.values()) >= 3
    clean(engine)


def test_a_long_prompt_does_not_stop_the_others(model: GPT) -> None:
    engine = Engine(model, Limits(max_tokens=20))
    engine.add(short("short", 10))
    engine.step()
    engine.add(Request("long", [7] * 150, 2))
    for _ in range(9):
        engine.step()
    assert engine.results()["short"].status == "done"
    assert engine.busy and engine.run()["long"].status == "done"


def test_unknown_orders_and_sizes_are_refused(model: GPT) -> None:
    with pytest.raises(ValueError, match="fifo, longest, fair"):
        Engine(model, order="best")
    with pytest.raises(ValueError, match="at least one row"):
        Limits(max_batch=0)


def test_metrics_follow_a_clock(model: GPT) -> None:
    ticks = iter(range(10_000))
    engine = Engine(model, Limits(max_batch=2), clock=lambda: float(next(ticks)))
    found = serve(engine, mixed(6, most=8))
    for result in found.values():
        assert result.arrived < result.started < result.token_times[0] <= result.token_times[-1] <= result.ended
        assert ttft(result) > 0 and len(gaps(result)) == len(result.tokens) - 1 and min(gaps(result), default=1) > 0
    said = summary(found.values())
    assert said.endings == {"done": 6} and said.ttft > said.queued > 0 and said.throughput > 0
    assert 1 <= engine.metrics.occupancy <= 2 and 0 < engine.metrics.usage < 1 and wasted(engine.store) == 0
    assert str(summary([])).startswith("first token after 0.0 ms")


def test_fragmentation_and_hits_are_seen_while_it_runs(model: GPT) -> None:
    engine = Engine(model)
    engine.add(Request("a", [1] * 17, 4, Sampling()))
    engine.step()
    assert wasted(engine.store) == pytest.approx(1 - 17 / 32)
