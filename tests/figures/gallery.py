"""One example of every figure, and the data that they are made of."""

from __future__ import annotations

from dataclasses import replace

from sharedstate import figures
from sharedstate.faults.incidents import by_kind
from sharedstate.figures.blocks import BlockView
from sharedstate.figures.slots import Place
from sharedstate.influence import SecondCall
from sharedstate.influence.matrix import LETTERS, Influence
from sharedstate.interleave.result import Result
from sharedstate.interleave.trace import Step, Trace
from sharedstate.kvcache.copies import Act
from sharedstate.kvcache.costs import step_cost
from sharedstate.kvcache.memory import plan, weight_bytes
from sharedstate.model import GPTConfig
from sharedstate.passcodes import FREE_THREADED, RaceConfig, RaceResult, SwitchPoint
from sharedstate.watch import Access, Finding

UNITS = (
    "00_start_here", "01_passcode_race", "02_isolation_fixes", "03_shared_rng", "04_attention_and_masks",
    "05_windows_and_channels", "06_kv_cache", "07_slot_pollution", "08_paged_blocks",
    "09_batching_and_sampling", "10_diagnosis", "11_in_the_wild", "12_interview",
)  # fmt: skip
OUTCOMES = {
    "alice True, mallory False": 150,
    "alice True, mallory True": 56,
    "alice False, mallory False": 46,
}
WRITTEN = Access(1, "bob", 2, "write", "shop.name", "shop.py", 6)
FOUND = Finding("foreign", WRITTEN._replace(number=2, who="ann", job=1, kind="read", line=8), WRITTEN)
FUNNEL = {"bytecode": 10**37, "shared": 252, "conflicting": 70, "classes": 16, "executions": 16}
SOURCE = """\
def check(self, candidate):
    self.board = candidate
    for _ in range(9): pass
    return self.board
"""
ERRORS = (("add old; finish old; add new", "SlotEngine", 2e-7), ("add old; finish old; add new", "StaleLength", 0.07),
          ("add old; finish old; add new", "StaleLength, silent", 3e-7), ("batch right a b", "MinusOne", float("nan")))
ACTS = (Act("host", "pinned = alice's"), Act("copies", "pinned → alice_row: alice's", True),
        Act("copies", "pinned → alice_row: bob's", False))
POINTS = (SwitchPoint(7, "RESUME", 0, "", "entry"), SwitchPoint(9, "JUMP_BACKWARD", 8, "", "loop"))


def result(threads: int = 8, accepts: int = 80, spin: int = 1000, rejects: int | None = None) -> RaceResult:
    config = RaceConfig(threads=threads, spin=spin, requests=100_000)
    return RaceResult(config, 100_000, accepts, accepts if rejects is None else rejects, 3.0, spin * 1.8e-8)


def flat() -> list[RaceResult]:
    return [result(n, k) for n, k in ((2, 110), (4, 72), (8, 66), (16, 88), (32, 80), (64, 104))]


def gaps() -> list[RaceResult]:
    return [result(8, k, spin) for spin, k in ((20, 0), (125, 9), (500, 41), (2000, 160), (8000, 700))]


def trace(steps: int = 10, **changes: object) -> Trace:
    """Mallory writes, Alice takes five steps, Mallory the rest; the pair to blame is step 2 and step 7."""
    names = ["mallory", *["alice"] * 5, *["mallory"] * 4][:steps]
    made = []
    for k, name in enumerate(names):
        kind, hit = "write" if k < 2 else "read", k in (1, 6)
        place = (7, "Cell [1], line 7", "self.x = y")
        made.append(Step(name, kind, "C.board", "'s3cret'", *place, switch=hit, preemption=k == 1, blame=hit))
    fields = {"answers": {"alice": True, "mallory": True}, "finished": True, "violated": True}
    fields |= {"verdict": "broken", "observed": None, "preemptions": 1, "switches": 2, "token": "t"}
    return Trace(("alice", "mallory"), tuple(made), schedule=tuple(names), **{**fields, **changes})


def matrix(*states: str, names: tuple[str, ...] = ("alice", "mallory"), kind: str = "threads") -> Influence:
    """An influence matrix, a line of letters a row; the last column is the schedule's."""
    words = {letter: state for state, letter in LETTERS.items()}
    columns = tuple([*names, "schedule"][: len(states[0])])
    return Influence(names, columns, tuple(tuple(words[x] for x in row) for row in states), kind=kind)


def causal(size: int, offset: int = 1) -> Influence:
    """An off-by-one mask whose first quarter of the past is lost."""
    rows = [["X" if c < r - 3 * size // 4 else "A" if c <= r else "L" if c <= r + offset else "I"
             for c in range(size)] for r in range(size)]  # fmt: skip
    return matrix(*map("".join, rows), names=tuple(map(str, range(size))), kind="tensors")


RACY, REFUSING, FIXED = matrix("ALL", "LAL"), matrix("XII", "IXI"), matrix("AII", "IAI")
def stuck(*names: str) -> Trace:
    """Threads that wait for one another in a circle."""
    place = (7, "Cell [1], line 7", "with lock:")
    ring = list(zip(names, (*names[1:], names[0]), strict=True))
    steps = [Step(name, "acquire", f"{name}'s lock", None, *place) for name in names]
    steps += [Step(name, "blocked", f"{other}'s lock", f"held by {other}", *place) for name, other in ring]
    return replace(trace(0), threads=names, steps=tuple(steps), verdict="deadlock", finished=False)


def explored(verdict: str, number: int) -> Result:
    """A result with so many outcomes, the same first ones in every result."""
    counts = {((k, "x" * k), None): 10 * (k + 1) for k in range(number)}
    return Result(verdict, "all of them", 100, frozenset(counts), counts=counts, threads=("alice", "mallory"))


LONG = {"alice": "x" * 99, "mallory": ValueError("y" * 99)}
CURVES = {"no mask": [2.8, 2.6, 1.2, 0.4], "causal mask": [2.8, 2.78, 2.77, 2.77]}
LOSSES = {"causal mask": {"validation": 0.23, "last": 0.16}, "no mask": {"validation": 0.03, "last": 1.8}}
SEEN = tuple(tuple(f"{'leak' if k < 2 else 'allowed'} lost isolated isolated".split()) for k in range(4))
WAYS = ("height", "width", "height, then width", "reshaped, not turned")
REGIONS = (*[(0, 0, 0, 1)] * 3, (2, 2, 2, 3))
PRICES = {"everybody": {256: 2e-4, 4096: 0.2}, "windows": {256: 5e-5, 4096: 2e-4}, "axes": {256: 7e-5, 4096: 1e-3}}
RATIOS = ("random_ratio", "object_ratio", "spin_ratio", "exhaustive_ratio_3")
SPEEDS = {key: 9.0 * 2**k for k, key in enumerate(RATIOS)} | {"spread": dict.fromkeys(RATIOS, 1.5)}
OWN, OLD, READ = Place("alice", "10"), Place("carol", "31", stale=True), Place("bob", "20", stale=True, read=True)
POOLS = {"before": [[OWN, OWN, Place()], [READ, OLD, Place()]], "after somebody has gone": [[OWN, READ, Place()]]}
WIDE_POOL = {"wide": [[Place(f"owner-{k % 5}") for k in range(16)]]}
BLOCKS = [BlockView(0, (), ("", "")), BlockView(1, ("alice", "bob"), ("1", "2")), BlockView(2, ("bob",), ("3", "")),
          BlockView(3, (), ("4", "5"), kept=True)]
WIDE_BLOCKS = [BlockView(n, ("a",), ("1",) * 4) for n in range(12)]
HURT = {"a": (0.0, 1e-16, None), "b": (0.0, 0.49, 0.6), "new": (None, 0.0, 0.0)}
ASKED = ("alone", "neighbour", "jacobian", "owner tag", "poison", "tokens")
SEEN_BY = {
    "right-pad-index-minus-one": dict(zip(ASKED, (True, True, None, True, False, "9 of 20"), strict=True)),
    "stale-offsets-new-arrival": dict.fromkeys(ASKED, False),
}
GRAIN = {"two threads": {"process": "leaks", "thread": "fits"}, "two tasks": {"process": "leaks", "thread": "wastes"}}
FIXES = [
    {"config": {"work": work, "fix": fix}, "ratio": ratio, "spread": (ratio / 3, ratio * 3)}
    for work, fix, ratio in (
        ("loop", "lock", 1.0), ("loop", "thread_local", 0.9), ("sleep", "lock", 8.1), ("sleep", "thread_local", 1.0))
]
DRAWN = [
    {"config": {"grain": grain, "units": 16}, "seconds": 0.1, "same_units": same, "duplicates": 3 * (16 - same)}
    for grain, same in (("none", 0), ("draw", 0), ("passcode", 1), ("own", 16))
]
STEPS = {"projections": {512: 1e-4, 2048: 1e-4, 8192: 1e-4}, "attention": {512: 5e-5, 2048: 2e-4, 8192: 8e-4}}
STEPS |= {"whole step, cached": {128: 1e-3, 2048: 3e-3}, "whole step, without": {128: 1e-2, 2048: 0.9}}
SHAPE = GPTConfig(32000, 32, 4096, 32, d_hidden=11008)
OPERATIONS = {2**n: (step_cost(SHAPE, 2**n), step_cost(SHAPE, 2**n, cached=False)) for n in range(4, 17)}
PLANS = {f"{n} slots": plan(SHAPE, "float16", 4096, n, 24, weight_bytes(SHAPE, "float16")) for n in (1, 2, 8)}
BLIND = {name: {"prompt alone": 2e-7, "in threes": 0.31} for name in ("positions restart", "newest card first")}
FIGURES = {
    "interleaving": lambda: figures.interleaving(trace()),
    "interleaving, long": lambda: figures.interleaving(trace(answers=LONG)),
    "interleaving, empty": lambda: figures.interleaving(trace(0, answers={}, finished=False, switches=0)),
    "funnel": lambda: figures.funnel(FUNNEL),
    "funnel, partly known": lambda: figures.funnel({**FUNNEL, "bytecode": None, "classes": None}),
    "outcomes": lambda: figures.outcomes(OUTCOMES, bad=("alice True, mallory True",)),
    "outcomes, long": lambda: figures.outcomes({"alice 'guess42', mallory " + "n" * 300: 3, "b" * 99: 4}),
    "race_sweep": lambda: figures.race_sweep(flat() + gaps()),
    "race_sweep, threads": lambda: figures.race_sweep(flat()),
    "race_sweep, gaps": lambda: figures.race_sweep(gaps()),
    "race_sweep, one point": lambda: figures.race_sweep([result()]),
    "race_sweep, nothing seen": lambda: figures.race_sweep([result(8, 0, 20)]),
    "flaky_runs": lambda: figures.flaky_runs([0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 0, 3]),
    "flaky_runs, all clean": lambda: figures.flaky_runs([0] * 20),
    "accepts_and_rejects": lambda: figures.accepts_and_rejects(flat()),
    "free_threaded": lambda: figures.free_threaded(FREE_THREADED),
    "free_threaded, 1000": lambda: figures.free_threaded(FREE_THREADED, spin=1000),
    "influence": lambda: figures.influence(RACY),
    "influence, lost": lambda: figures.influence(REFUSING),
    "influence, clean": lambda: figures.influence(FIXED),
    "influence, undecided": lambda: figures.influence(matrix("???", "?X?")),
    "influence, three": lambda: figures.influence({"racy": RACY, "refuses": REFUSING, "fixed": FIXED}),
    "influence, four": lambda: figures.influence(dict.fromkeys("abcd", causal(8))),
    "influence, 10": lambda: figures.influence(causal(10)),
    "influence, 16": lambda: figures.influence(causal(16)),
    "influence, 64": lambda: figures.influence(causal(64)),
    "influence, long": lambda: figures.influence(matrix("AL?", "XIL", names=("a" * 40, "b" * 40))),
    "whiteboard": lambda: figures.whiteboard(),
    "course_map": lambda: figures.course_map(UNITS, here="01"),
    "lanes": lambda: figures.lanes((("a", "a", None), ("b", "c", "c")), "b leaves at once, and c takes its place"),
    "growth": lambda: figures.growth({"static": {4: 2.0, 8: 2.4}, "longest first": {4: 2.2, 8: 2.9}},
                                     "The more unequal, the more is gained", "batch size", "times faster", True),
    "growth, one curve": lambda: figures.growth({"a": {1: 2.0}}, "One point", "batch size", "tokens/s", True, 1),
    "token_rows": lambda: figures.token_rows({"alone": (3, 14, 1), "beside Bob": (3, 9, 60)}, "Ann's text is another"),
    "differences": lambda: figures.differences({"ann": 0.0, "bob": 4e-7, "eve": 0.2}, "Eve's logits are wrong"),
    "switch_points": lambda: figures.switch_points(POINTS, SOURCE, 7),
    "mask_grid": lambda: figures.mask_grid({"one": causal(6), "two": causal(6, 0)}, "Two masks"),
    "mask_grid, six": lambda: figures.mask_grid({f"mask {k}": causal(6, k) for k in range(6)}, "Six masks"),
    "mask_grid, alone": lambda: figures.mask_grid({"alone": causal(8)}, causal(8).message),
    "loss_curves": lambda: figures.loss_curves(CURVES, vocab_size=16),
    "loss_bars": lambda: figures.loss_bars(LOSSES, chance=3.4),
    "sight": lambda: figures.sight({"window": SEEN}, (0, 0), "What one pixel sees", walls=2),
    "sight, four": lambda: figures.sight(dict.fromkeys(WAYS, SEEN), (0, 0), "Four ways to look"),
    "regions": lambda: figures.regions(((3, 2, 2, 2), *[(1, 0, 0, 0)] * 3), REGIONS, 2, "Four regions meet"),
    "attention_price": lambda: figures.attention_price(PRICES, "Windows are cheaper"),
    "cache_step": lambda: figures.cache_step(6, "One row and two cards"),
    "cache_step, two": lambda: figures.cache_step(2, "The second word"),
    "step_costs": lambda: figures.step_costs(STEPS, "Attention grows", {"attention": STEPS["attention"]}),
    "step_costs, one": lambda: figures.step_costs({"attention": {512: 1e-4}}, "One point"),
    "context_costs": lambda: figures.context_costs(OPERATIONS, 2048, "At 2,048 tokens 2,048 times the work"),
    "context_costs, short": lambda: figures.context_costs(OPERATIONS, 16, "At 16 tokens 16 times the work"),
    "memory_bars": lambda: figures.memory_bars(PLANS, "The mean fits, the peak does not"),
    "memory_bars, no budget": lambda: figures.memory_bars({"one": plan(SHAPE, "float16", 4096)}, "Two GiB"),
    "which_test": lambda: figures.which_test(BLIND, "No single test sees both"),
    "peers": lambda: figures.peers(SPEEDS),
    "assignment": lambda: figures.assignment(("ab", "cd"), {"again": ("ac", "bd"), "own": ("ab", "cd")}, "Dealt anew"),
    "collisions": lambda: figures.collisions({"sum": 115, "digest": 1600}, 1600, "Sums collide"),
    "symbol_counts": lambda: figures.symbol_counts({"folded": [5, 4, 4], "fair": [4, 4, 4]}, "Bias"),
    "generator_runs": lambda: figures.generator_runs(DRAWN),
    "prices": lambda: figures.prices(FIXES, {"loop": "Python loop", "sleep": "waiting 0.5 ms"}),
    "prices, one": lambda: figures.prices(FIXES[:1], {"loop": "Python loop"}),
    "grain": lambda: figures.grain(GRAIN),
    "memory_map": lambda: figures.memory_map(POOLS, "Bob reads on", reader="bob"),
    "memory_map, wide": lambda: figures.memory_map(WIDE_POOL, "Sixteen places", word="row"),
    "life_cycle": lambda: figures.life_cycle(),
    "request_errors": lambda: figures.request_errors(HURT, "A ends, and b is hurt"),
    "oracle_matrix": lambda: figures.oracle_matrix(SEEN_BY),
    "oracle_matrix, all": lambda: figures.oracle_matrix({f"bug {k}": dict.fromkeys(ASKED, True) for k in range(16)}),
    "error_over_steps": lambda: figures.error_over_steps([4.0, 0.5, 0.01, 1e-4], [0.3, 0.3, 0.4, 0.4]),
    "block_map": lambda: figures.block_map({"before": BLOCKS[:2], "after": BLOCKS}, "Bob has a block of his own"),
    "block_map, wide": lambda: figures.block_map({"p": WIDE_BLOCKS}, "Twelve"),
    "capacity_bars": lambda: figures.capacity_bars({"short": {"reserved": 16, "blocks": 216}}, "Blocks hold more"),
    "size_sweep": lambda: figures.size_sweep({"short": {1: 0.0, 16: 0.05}, "long": {16: 0.01}}, "W", "waste", 16),
    "saving": lambda: figures.saving([(0.25, 0.27), (0.9, 0.85)], "Saved is about what hits"),
    "error_over_steps, three": lambda: figures.error_over_steps(
        {"passed": [4.0, 0.5, 0.01, 1e-4], "stays": [4.0, 5.0, 4.0, 4.5], "prefix": [9.0, 5.0, 1.0, 0.1]}, [0.3, 0.4]),
    "attention_tables": lambda: figures.attention_tables(
        ("the", "cat", "sat"), [[2.8, 0.0, 1.4]] * 3, [[0.76, 0.05, 0.19]] * 3, [[30.0]] * 3,
        "Each token mixes the values"),
    "logit_errors": lambda: figures.logit_errors(ERRORS, "With the wrong length, clearing the slot does not help"),
    "schedules": lambda: figures.schedules(
        {"one_buffer": ACTS, "waits": ACTS[:2]}, "Without a wait, Alice's row gets Bob's data"),
    "who_wrote": lambda: figures.who_wrote(FOUND),
    "shrunk": lambda: figures.shrunk([(16, 33, 321), (4, 9, 60), (2, 3, 3)], 75),
    "seconds_to_find": lambda: figures.seconds_to_find({"64 threads": 4.0, "one schedule": 0.001}, "One is quicker"),
    "answers": lambda: figures.answers({"last digit": ((True,) * 4, False), "stranger in": ((True,) * 4, True)},
                                       ("company", "content", "load", "gone"), "Four yeses, and one is none"),
    "incident_map": lambda: figures.incident_map(by_kind()),
    "replies": lambda: figures.replies([("ann", None), ("bob", "ann"), ("cem", "cem")], "Bob reads Ann's reply"),
    "second_calls": lambda: figures.second_calls(
        {"module": {"as it was": SecondCall("1", "2"), "mended": SecondCall("1", "1")}}, "The first call shows"),
    "drill_clock": lambda: figures.drill_clock("D03", 150.0, 6, 1),
    "drill_clock, fresh": lambda: figures.drill_clock("D01", 0.0, 5),
    "drill_clock, late": lambda: figures.drill_clock("D19", 1000.0, 15, 3, 7),
    "deadlock": lambda: figures.deadlock(stuck("alice", "bob")),
    "deadlock, alone": lambda: figures.deadlock(stuck("alice")),
    "deadlock, three": lambda: figures.deadlock(stuck("alice", "bob", "carol")),
    "deadlock, five": lambda: figures.deadlock(stuck("a" * 30, "bob", "carol", "dave", "erin")),
    "compare": lambda: figures.compare([explored("broken", 3), explored("proved", 1)]),
    "compare, many": lambda: figures.compare([explored("broken", 30), explored("ran out", 5)]),
    "compare, three": lambda: figures.compare(
        [explored("broken", 3), explored("proved", 1), explored("deadlock", 2)], ("racy", "lock", "two locks")
    ),
}  # fmt: skip
