"""The faults of unit 03: streams that are shared, copied or derived so that they meet, and draws that are not fair.

What needs a schedule is explored; copies and collisions are exact. Nothing waits for luck.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from contextlib import AbstractContextManager
from importlib.util import find_spec

from sharedstate.faults.table import Fault, Names, Probe
from sharedstate.interleave import Scenario
from sharedstate.passcodes import duplicates, generate, generate_checked, generate_unique, join

UNIT = "03_shared_rng"
STREAMS = "1,600 streams, masters 0 to 99 and units 0 to 15, compared by their first 128 bits"
ONE_MASTER = "the same derivation, one master and 16 units"
MIXED = "a spawn key, or sha256 of a tagged pair: 1,600 of 1,600 differ"
SERIAL = "the same generator, one unit after the other"
EVEN = 62 + 6 * 124**0.5  # six standard deviations above what equal chances give


def verdict(names: Names, make: object, draw: object, never: str) -> str:
    """Explore two units that draw once each, and return the explorer's verdict."""
    return names["two_units"](make, draw, names[never]).explore().verdict


def serially(names: Names, make: object, draw: object, never: str) -> bool:
    """Both serial orders keep the invariant."""
    room = names["two_units"](make, draw, names[never])
    orders = (["unit0*", "unit1*"], ["unit1*", "unit0*"])
    return not any(room.play(order).violated for order in orders)


# --- one stream, several hands


def in_other_hands(names: Names) -> bool:
    """Some order gives unit 0 the number of unit 1, and none gives both the same."""
    draw = names["one_draw"]
    found = names["two_units"](lambda: random.Random(7), draw, names["other_hands"]).explore()
    never_twice = verdict(names, lambda: random.Random(7), draw, "same_number") == "proved"
    return found.verdict == "broken" and found.minimal.switches == 1 and never_twice


def first_come_serial(names: Names) -> bool:
    """Unit 0 first: everybody has their own."""
    room = names["two_units"](lambda: random.Random(7), names["one_draw"], names["other_hands"])
    return not room.play(["unit0*", "unit1*"]).violated


def own_streams(names: Names) -> bool:
    """With a stream for each unit every order gives every unit its own number."""
    make = names["OwnStream"]
    right = {f"unit{unit}": make(7).draw(unit) for unit in range(2)}
    calls = {f"unit{unit}": lambda streams, unit=unit: streams.draw(unit) for unit in range(2)}
    room = Scenario(setup=lambda: make(7), threads=calls, never=lambda streams, got: dict(got) != right)
    return room.explore().verdict == "proved" and len(set(right.values())) == 2


def rewinds(names: Names) -> bool:
    """Two units of a generator in Python get one number, with one preemption, on real threads too."""
    kind = names["Xorshift"]
    found = names["two_units"](lambda: kind(2026), kind.draw, names["same_number"]).explore()
    return found.verdict == "broken" and found.minimal.preemptions == 1 and found.minimal.confirmed


def locked_proved(names: Names) -> bool:
    """The locked generator never gives a number twice, in any order."""
    kind = names["Locked"]
    return verdict(names, lambda: kind(2026), kind.draw, "same_number") == "proved"


def _gauss(names: Names) -> type:
    return names["as_class"]("Gauss", names["GAUSS"])


def same_twin(names: Names) -> bool:
    """The standard library's own gauss: both units take the twin that waits."""
    kind = _gauss(names)
    make = names["two_units"](lambda: names["with_a_twin"](kind), lambda rng: rng.gauss(), names["same_number"])
    found = make.explore()
    return found.verdict == "broken" and found.minimal.confirmed


def twin_serial(names: Names) -> bool:
    """One after the other the two units get two numbers."""
    kind = _gauss(names)
    return serially(names, lambda: names["with_a_twin"](kind), lambda rng: rng.gauss(), "same_number")


class _LockedGauss:
    """A generator and the lock around every call of gauss that its docstring asks for."""

    def __init__(self, rng: random.Random, lock: AbstractContextManager[object]) -> None:
        self.rng, self.lock = rng, lock

    def draw(self) -> float:
        with self.lock:
            return self.rng.gauss()


def gauss_locked(names: Names) -> bool:
    """With a lock around all calls no order gives a number twice."""
    kind, lock = _gauss(names), names["Lock"]
    make = names["two_units"](
        lambda: _LockedGauss(names["with_a_twin"](kind), lock()), _LockedGauss.draw, names["same_number"])
    return make.explore().verdict == "proved"


def copies(names: Names) -> bool:
    """A generator handed to four workers is four copies; where the system forks, three kinds are copied too."""
    if len(set(names["sent"](random.Random(1)))) != 1:
        return False
    if not hasattr(os, "fork"):
        return True
    found = {name: len(set(draws)) for name, draws in names["forked"]().items()}
    return found == {"random.Random": 1, "numpy Generator": 1, "numpy global": 1, "random module": 4}


def drawn_by_one(names: Names) -> bool:
    """The same generator, drawn from four times by one worker: four numbers."""
    rng = random.Random(1)
    return len({rng.getrandbits(64) for _ in range(4)}) == 4


def unit_numbers(names: Names) -> bool:
    """Four workers that are handed a unit number: four streams, equal whenever they are made again."""
    draws = [names["OwnStream"](1).draw(unit) for unit in range(4)]
    return len(set(draws)) == 4 and draws == [names["OwnStream"](1).draw(unit) for unit in range(4)]


# --- derivations


def keeps(derivation: str, count: int) -> Probe:
    """Return a probe: the derivation leaves exactly so many of 1,600 streams."""
    return lambda names: names["distinct"](names["DERIVATIONS"][derivation]) == count


def one_master(derivation: str) -> Probe:
    """Return a probe: with one master the 16 units differ, which is why nobody notices."""
    return lambda names: len({names["DERIVATIONS"][derivation](40, unit) for unit in range(16)}) == 16


def low_bits(names: Names) -> bool:
    """Of 1,600 streams 16 are left, and torch, where it is installed, really drops what lies above 32 bits."""
    return keeps("low 32 bits", 16)(names) and (_torch(1 << 32 | 7) == _torch(2 << 32 | 7))


def other_low_bits(names: Names) -> bool:
    """With one master the units differ, in torch too."""
    torch_differs = _torch(7) != _torch(8) or not find_spec("torch")
    return one_master("low 32 bits")(names) and torch_differs


def _torch(seed: int) -> int | None:
    """Return the first number of torch's generator with this seed; None without torch."""
    if not find_spec("torch"):
        return None
    import torch

    return int(torch.randint(2**40, (1,), generator=torch.Generator().manual_seed(seed)))


def mixed(names: Names) -> bool:
    """Both clean derivations keep all 1,600 streams apart."""
    return keeps("sha256, tagged", 1600)(names) and keeps("spawn_key", 1600)(names)


def hash_changes(names: Names) -> bool:
    """hash() of a text differs between two processes, and hash() of two pairs of numbers is the same."""
    return len(_in_processes("hash('unit-1')")) == 2 and hash((-1, 0)) == hash((-2, 0))


def _in_processes(expression: str) -> set[str]:
    """Return what two fresh processes with different hash seeds make of an expression."""
    return {
        subprocess.run(
            [sys.executable, "-c", f"from hashlib import sha256; print({expression})"],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip


def digest_stays(names: Names) -> bool:
    """sha256 of a tagged text is the same in every process, and all streams differ."""
    return len(_in_processes("sha256(b'unit-1').hexdigest()")) == 1 and mixed(names)


def padded_list(names: Names) -> bool:
    """SeedSequence([7, 0]) and SeedSequence(7) are one stream."""
    return _state(names, [7, 0]) == _state(names, 7)


def unpadded_list(names: Names) -> bool:
    """Two lists that differ in another place are two streams."""
    return _state(names, [7, 1]) != _state(names, 7)


def spawned(names: Names) -> bool:
    """With spawn keys (0,) and none the streams differ, and so do all 1,600."""
    return _state(names, 7) != _state(names, 7, (0,)) and mixed(names)


def _state(names: Names, entropy: object, spawn_key: tuple[int, ...] = ()) -> list[int]:
    return names["np"].random.SeedSequence(entropy, spawn_key=spawn_key).generate_state(4).tolist()


# --- fair, and never twice


def biased(names: Names) -> bool:
    """Bytes folded onto 62 symbols: chi-square far beyond equal chances."""
    return names["chi_square"](names["folded"](200_000, 1)) > 10 * EVEN


def fair(names: Names) -> bool:
    """Rejection gives equal chances, and so does the package's generator."""
    np = names["np"]
    drawn = generate(12_500, seed=1).view(np.uint8)
    symbols = np.unique(drawn, return_inverse=True)[1].reshape(-1)
    return names["chi_square"](names["rejected"](200_000, 1)) < EVEN and names["chi_square"](symbols) < EVEN


def fold_of_64(names: Names) -> bool:
    """The same test is quiet where the fold comes out even: 256 values onto 64."""
    folded = names["np"].random.default_rng(1).integers(256, size=200_000) % 64
    counted = names["np"].bincount(folded, minlength=64)
    return float(((counted - counted.mean()) ** 2 / counted.mean()).sum()) < EVEN


def both_are_new(names: Names) -> bool:
    """Two units with one passcode are both told that it is new."""
    kind = names["Register"]
    return verdict(names, kind, lambda register: register.new("q7"), "both_new") == "broken"


def register_serial(names: Names) -> bool:
    """One after the other only the first is told so."""
    return serially(names, names["Register"], lambda register: register.new("q7"), "both_new")


def never_both(names: Names) -> bool:
    """With a lock never; by construction and at the join there is nothing to ask."""
    locked = verdict(names, names["LockedRegister"], lambda register: register.new("q7"), "both_new")
    built = join([generate_unique(64, 10, "ab", seed=1, unit=unit, units=16) for unit in range(16)])
    checked = join(generate_checked(250, 10, "ab", seed=1, units=4))
    return locked == "proved" and duplicates(built) == duplicates(checked) == 0


SAME = "no two units get the same number, over all interleavings"
FAULTS: tuple[Fault, ...] = (
    Fault("rng-shared-stream", UNIT, "each unit gets the numbers of its serial run, unit by unit", SERIAL,
          "a stream for each unit (OwnStream)", in_other_hands, first_come_serial, own_streams),
    Fault("rng-multi-step", UNIT, SAME, SERIAL, "a lock around the whole draw (Locked)", rewinds,
          lambda names: serially(names, lambda: names["Xorshift"](2026), names["Xorshift"].draw, "same_number"),
          locked_proved),
    Fault("RNG-01", UNIT, "workers draw pairwise different numbers, the same whenever made again",
          "one worker draws four times", "hand over a unit number, never a generator", copies, drawn_by_one,
          unit_numbers),
    Fault("RNG-02", UNIT, SAME, SERIAL, "a lock around all calls of gauss", same_twin, twin_serial, gauss_locked),
    Fault("seed-plus-unit", UNIT, STREAMS, ONE_MASTER, MIXED, keeps("master + unit", 115),
          one_master("master + unit"), mixed),
    Fault("seed-xor-unit", UNIT, STREAMS, ONE_MASTER, MIXED, keeps("master ^ unit", 112),
          one_master("master ^ unit"), mixed),
    Fault("seed-joined-text", UNIT, STREAMS, ONE_MASTER, MIXED, keeps('f"{master}{unit}"', 1546),
          one_master('f"{master}{unit}"'), mixed),
    Fault("seed-low-bits", UNIT, STREAMS, ONE_MASTER, MIXED, low_bits, other_low_bits, mixed),
    Fault("seed-hash", UNIT, "the same seed in every process, and no twins", "within one process a text has one hash",
          "sha256 of a tagged text", hash_changes, lambda names: hash("unit-1") == hash("unit-" + str(1)),
          digest_stays),
    Fault("seed-padded-list", UNIT, "two lists of numbers, two streams", "lists that differ in another place",
          "a spawn key", padded_list, unpadded_list, spawned),
    Fault("modulo-bias", UNIT, "chi-square of 200,000 symbols against equal chances", "the same with 64 symbols",
          "reject what is left over", biased, fold_of_64, fair),
    Fault("unique-check-then-add", UNIT, "a passcode is new once, over all interleavings",
          "one unit after the other", "a lock, by construction, or checked at the join", both_are_new,
          register_serial, never_both),
)
