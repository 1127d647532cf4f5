"""The bugs of a slot cache: for each the smallest workload that shows it, and a near one in which it is silent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sharedstate.kvcache.workloads import Workload


@dataclass(frozen=True)
class Case:
    """One bug. `minimal` shows it in every run; `silent` differs from it by what `because` says."""

    name: str
    minimal: Workload
    silent: Workload
    because: str


def _after(old: int, new: int, layers: int = 2) -> Workload:
    return Workload("add old; finish old; add new", {"old": old, "new": new}, "new", layers=layers)


def _rows(script: str, **lengths: int) -> Workload:
    return Workload(script, lengths, "b", slots=4)


def _pair(a: int, b: int, positions: str, layers: int = 2) -> Workload:
    script = "batch left a b; step a b"
    return Workload(script, {"a": a, "b": b}, "b", slots=2, positions=positions, layers=layers)


def _prompts(length: int) -> Workload:
    return Workload("add a; add b", {"a": length, "b": length}, "b", slots=2, reuse=True)


def _right(a: int, b: int) -> Workload:
    return Workload("batch right a b", {"a": a, "b": b}, "b", slots=2)


def _ended(word: str) -> Workload:
    return Workload(f"add a; {word} a; add b", {"a": 3, "b": 3}, "b")


def _retried(word: str) -> Workload:
    return Workload(f"add a; {word} a; step a", {"a": 3}, "a")


def _again() -> Workload:
    script, twins = "add a; finish a; add again", {"again": "a"}
    return Workload(script, {"a": 3}, "again", layers=1, twins=twins)


def _left(number: str) -> Workload:
    return Workload(f"add a; leave a {number}; finish a; add b", {"a": 4, "b": 2}, "b", capacity=4)


def _captured(capacity: int) -> Workload:
    return Workload("add a; add b; step b", {"a": 2, "b": 3}, "b", slots=2, capacity=capacity)


FEWER = "the slot's last tenant wrote no more than the new one"
TWO = "two sequences: the old copy is still in place"
SAME = "one layer, the same prompt again: the old data is the right data"
ROTARY = "rotary positions: only distances count"
EVEN = "equal lengths: there is no padding"
CASES: Mapping[str, Case] = MappingProxyType(
    {
        case.name: case
        for case in (
            Case("stale-length-mask", _after(6, 5), _after(5, 5), FEWER),
            Case("zeroed-wrong-mask", _after(6, 5), _after(5, 5), FEWER),
            Case("stale-offsets", _rows("add a; add b; add c; finish a; step b", a=3, b=3, c=3),
                 _rows("add a; add b; finish a; step b", a=3, b=3), TWO),
            Case("stale-offsets-new-arrival", _rows("add a; add b; finish a; add d; step b", a=3, b=3, d=3),
                 _rows("add a; add b; finish a; step b", a=3, b=3), "nobody new arrives"),
            Case("key-is-length", _prompts(2), _prompts(1), "one token: it is always computed anew"),
            Case("left-pad-no-mask", _pair(4, 3, "learned"), _pair(3, 3, "learned"), EVEN),
            Case("left-pad-no-positions", _pair(4, 3, "learned"), _pair(4, 3, "rope"), ROTARY),
            Case("left-pad-neither", _pair(4, 3, "learned"), _pair(3, 3, "learned"), EVEN),
            Case("right-pad-index-minus-one", _right(4, 3), _right(3, 3), EVEN),
            Case("abort-length-kept", _ended("abort"), _ended("finish"), "the request ends in the ordinary way"),
            Case("retry-not-rolled-back", _retried("fail"), _retried("step"), "nothing breaks off"),
            Case("length-before-write", Workload("add a", {"a": 1}, "a", layers=1), _again(), SAME),
            Case("KV-01", _after(3, 3, 1), Workload("add new", {"new": 3}, "new", layers=1), "a fresh cache"),
            Case("KV-02", _left("nan"), _left("1e30"), "the leftover is a number, however large"),
            Case("PAD-01", _pair(7, 4, "learned", 1), _pair(7, 4, "rope", 1), ROTARY),
            Case("OFF-02", _captured(4), _captured(5), "the last slot is not full"),
        )
    }
)  # fmt: skip
