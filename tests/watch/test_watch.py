"""Each kind of thing that can be wrapped: the writer is named, and one's own data raises no alarm."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import numpy as np
import pytest
import torch

from sharedstate.watch import Watch
from sharedstate.watch.locks import Deadlock
from sharedstate.watch.price import checker_prices
from sharedstate.watch.turns import Turns

WRAPPED: dict[str, tuple[Callable[[], Any], Callable[[Any], object], Callable[[Any], object]]] = {
    "attribute": (lambda: type("Board", (), {})(), lambda o: setattr(o, "x", 1), lambda o: o.x),
    "item": (dict, lambda o: o.update(x=1), lambda o: o["x"]),
    "popped": (dict, lambda o: o.update(x=1), lambda o: o.setdefault("x", o.pop("x", 0))),
    "all items": (dict, lambda o: o.update(x=1), lambda o: [list(o), o.items(), o.values(), "x" in o]),
    "taken out": (list, lambda o: o.extend([1, 1, 1]), lambda o: [1 in o, o.remove(1)]),
    "member": (set, lambda o: o.add("x"), lambda o: "x" in o),
    "element": (lambda: [0], lambda o: o.__setitem__(0, 1), lambda o: o[0]),
    "iterated": (list, lambda o: o.extend([1, 2]), lambda o: sum(o)),
    "array": (lambda: np.zeros(3), lambda o: o.__setitem__(1, 1), lambda o: o[0:2]),
    "array in place": (lambda: np.zeros(3), lambda o: np.add(o, 1, out=o), lambda o: o + 1),
    "tensor": (lambda: torch.zeros(3), lambda o: o.__setitem__(1, 1.0), lambda o: o[0:2]),
    "tensor in place": (lambda: torch.zeros(3), lambda o: o.fill_(1.0), lambda o: o.sum()),
    "thread's own": (threading.local, lambda o: setattr(o, "x", 1), lambda o: o.x),
    "context": (lambda: ContextVar("x"), lambda o: o.set(1), lambda o: o.get()),
}


@pytest.mark.parametrize("name", WRAPPED)
def test_another_ones_data_is_found_and_ones_own_is_not(name: str) -> None:
    make, write, read = WRAPPED[name]
    log = Watch()
    thing = log.wrap(make(), "thing")
    with log.work("bob"):
        write(thing)
        read(thing)
    assert not log.findings
    with log.work("alice"):
        read(thing)
    assert ("foreign", "alice", "bob") in {(f.kind, f.reader, f.writer) for f in log.findings}
    assert {(f.reader, f.writer) for f in log.findings} == {("alice", "bob")}


def test_an_item_carries_its_tag_along() -> None:
    log = Watch()
    queue = log.wrap([], "queue")
    with log.work("alice"):
        queue.append("hers")
    with log.work("bob"):
        queue.append("his")
        queue.insert(0, "first")
        assert queue.pop(0) == "first"
        assert not log.findings
        assert queue.pop(0) == "hers"
    assert [(f.reader, f.writer) for f in log.findings] == [("bob", "alice")]


def test_a_copy_of_a_tensor_names_the_first_writer() -> None:
    log = Watch()
    pool, other = log.wrap(torch.zeros(2, 3), "pool"), log.wrap(torch.zeros(2, 3), "other")
    with log.work("alice"):
        pool[0] = 1.0
    other[1] = pool.transpose(0, 1)[:, 0].clone()
    with log.work("bob"):
        _ = other[0]
        assert not log.findings
        _ = other[1]
    assert [(f.reader, f.writer) for f in log.findings] == [("bob", "alice")]


def test_shared_data_may_pass_on_but_not_within_a_piece_of_work() -> None:
    log = Watch()
    counter = log.wrap({"n": 0}, "counter", shared=True)
    for who in ("alice", "bob"):
        with log.work(who):
            counter["n"] += 1
    assert not log.findings
    with log.work("alice"):
        seen = counter["n"]
        with log.work("bob"):
            counter["n"] = 9
        counter["n"] = seen + 1
    assert [(f.kind, f.reader, f.writer) for f in log.findings] == [("lost", "alice", "bob")]
    with log.work("carol"):
        first = counter["n"]
        with log.work("bob"):
            counter["n"] = 7
        assert counter["n"] != first
    assert [(f.kind, f.reader, f.writer) for f in log.findings[1:]] == [("torn", "carol", "bob")]


def test_a_circle_of_locks_names_the_holder() -> None:
    turns = Turns(["alice", "bob", "alice", "bob*"])
    log = Watch(turns.before)
    a, b = log.wrap(threading.Lock(), "a"), log.wrap(threading.Lock(), "b")

    def both(first: Any, second: Any) -> None:
        with first, second:
            pass

    answers = turns.run(log, {"alice": lambda: both(a, b), "bob": lambda: both(b, a)})
    assert sum(isinstance(answer, Deadlock) for answer in answers.values()) == 1
    assert [f.kind for f in log.findings] == ["circle"]
    assert not a.locked() and not b.locked()


def test_writers_and_history_can_be_asked_for() -> None:
    log = Watch(keep=3)
    board = log.wrap(type("Board", (), {})(), "board")
    with log.work("alice"):
        board.word = "s3cret"
    assert log.writer("board.word").who == "alice"
    assert log.writer("board.other") is None
    assert "board.word" in log.history("board.word")[0].code
    for _ in range(5):
        _ = board.word
    assert len(log.accesses) == 3 and log.count == 6
    assert str(log) == "no alarm in 6 accesses"


def test_an_object_stays_itself_and_is_wrapped_once() -> None:
    log = Watch()
    board = type("Board", (), {"word": property(lambda self: self.hidden)})()
    board.hidden = 1
    assert log.wrap(board, "board") is board is log.wrap(board, "again")
    assert board.word == 1
    assert isinstance(board, type(board).__mro__[1])
    assert [access.what for access in log.accesses] == ["board.hidden"]


def test_what_cannot_be_watched_says_so() -> None:
    with pytest.raises(TypeError, match="name its methods in calls="):
        Watch().wrap(object(), "thing")
    with pytest.raises(ValueError, match="A move is"):
        Turns(["alice *"])


def test_threads_are_told_apart_without_a_name() -> None:
    log = Watch()
    board = log.wrap({}, "board")
    threads = [threading.Thread(target=board.__setitem__, args=("x", n), name=f"t{n}") for n in range(2)]
    threads += [threading.Thread(target=board.get, args=("x",), name="reader")]
    for thread in threads:
        thread.start()
        thread.join()
    assert [(f.reader, f.writer) for f in log.findings] == [("reader", "t1")]


def test_the_price_is_a_ratio_for_each_kind_of_work() -> None:
    prices = checker_prices(times=20)
    assert [price.work for price in prices] == ["a check of accesses alone", "a check with a loop of 1,000"]
    assert all(price.least <= price.ratio <= price.most for price in prices)
