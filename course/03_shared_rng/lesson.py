# %% [markdown] tags=["core"]
# # 03 · The shared random generator
#
# *45 minutes, then lab 03.*
#
# A machine prints passcodes: letters and digits, 16 of them in a row, 100,000 in a batch, for 16 **units** (printers, say). Each
# unit needs its own list, the same one whenever you start from the same **seed**, and no passcode twice. The units share one
# random **generator**. In this lesson you find out what that breaks, and what it does not break, although many texts say so.
#
# **These passcodes are test data.** Anyone who knows the seed knows them all. For anything that protects something, use the
# standard library's `secrets`.
#
# ## One dice cup for sixteen players
#
# A generator is an object with a **state** (625 numbers), which every draw reads and changes. Think of one dice cup that rolls the
# same numbers every time you rewind it, shared by sixteen players. No number is lost, and none comes twice. But who gets
# which one? After the imports, the generator fills three passcodes.

# %% tags=["core", "setup"]
import inspect
import linecache
import os
import pickle
import random
import subprocess
import sys
from hashlib import sha256
from threading import Lock

import numpy as np

from sharedstate import figures, influence
from sharedstate.interleave import Scenario
from sharedstate.panels import generator_panel, predict, reveal
from sharedstate.passcodes import (SYMBOLS, duplicates, generate, generate_unique, join, passcode_at,
                                   switch_interval)
from sharedstate.passcodes.units import UnitsConfig, in_threads, measure_units, serial

# %% tags=["core", "stable"]
rng = random.Random(2026)
["".join(rng.choice(SYMBOLS) for _ in range(16)) for _ in range(3)]

# %% tags=["core"]
predict("03.shared", "16 threads, one generator of the standard library, 16 units. What goes wrong?", {
    "a": "Duplicates: two threads draw the same number", "b": "Other passcodes than in the serial run",
    "c": "The same passcodes, in other hands", "d": "Nothing, the generator is thread-safe"})

# %% [markdown] tags=["core"]
# Sixteen threads wait at a barrier, so that all start together. One passcode is one draw from the generator (128 bits, then
# written with our symbols). The next cell runs the same program twice, and once without threads.
#
# > **A popular text says:** "Under concurrency a shared generator cannot be reproduced, even from a fixed seed."

# %% tags=["core", "measured", "claim:19"]
together = UnitsConfig(batch=100_000, generator="random, 1 draw")
wanted = serial(together)
first, second = (in_threads(together)[0] for _ in range(2))
print("units with their serial passcodes:", sum(map(list.__eq__, first, wanted)), "of 16")
print("same passcodes, sorted:", np.array_equal(np.sort(first, axis=None), np.sort(wanted, axis=None)))
figures.assignment(wanted, {"one after the other": wanted, "a run": first, "again": second},
                   "The same passcodes, dealt to other units at every run")

# %% [markdown] tags=["core"]
# *A shade, from dark to light, is the unit to which a passcode belongs in the run without threads. There each row has one shade;
# with threads the shades are mixed, and mixed differently in each run.*
#
# **Verdict: true for who gets what, false for the set.** One draw is one call into C, and no thread can come in between. So the
# generator goes through the very same states in any order, and the sorted batch is equal every time. Only the
# *assignment* is lost. **An oracle that sorts before it compares misses this bug.**
#
# The explorer confirms it for any two draws, in every order: the same two numbers, in different hands.

# %% tags=["core", "setup", "fault:rng-shared-stream", "fault:RNG-02", "fault:rng-multi-step"]
def two_units(make, draw, never):
    """Two units draw once each from what `make` gives."""
    return Scenario(setup=make, threads={"unit0": draw, "unit1": draw}, never=never)

def same_number(rng, got):
    return got["unit0"] == got["unit1"]

def other_hands(rng, got):
    return got["unit0"] != random.Random(7).getrandbits(32)

def one_draw(rng):
    return rng.getrandbits(32)

# %% tags=["core", "stable"]
print("the same number:", two_units(lambda: random.Random(7), one_draw, same_number).explore().verdict)
shared = two_units(lambda: random.Random(7), one_draw, other_hands).explore()
print("in other hands: ", shared.verdict)
reveal("03.shared", truth="c", because={
    "a": "Not with a draw that is one step. Below, three ways in which it does happen.",
    "b": "The states come in the same sequence, whoever asks. Only passcodes of many draws change.",
    "d": "Its memory is safe. Your promise, the same list for each unit, is not.",
}, measured=f"the same number twice: never; in other hands: {shared.verdict}")

# %% [markdown] tags=["core"]
# **Change one line and run again:** in `together`, use `generator="random, 16 draws"`. Now a passcode is sixteen draws, and other
# threads come in between. Which of the two statements changes?
#
# ## "The first tests passed"
#
# > **A popular text says:** "It is sporadic, once in ten runs, once in a hundred."
#
# Ten runs each, without a barrier for small and large batches, then with one.

# %% tags=["core"]
predict("03.sporadic", "No barrier, 1,600 passcodes, ten runs. How many differ from the serial run?", {
    "a": "Nearly all", "b": "One or two", "c": "Nearly none"})

# %% tags=["core", "measured", "claim:20"]
def runs_equal(batch, barrier, runs=10):
    config = UnitsConfig(batch=batch, generator="random, 1 draw", barrier=barrier)
    right = serial(config)
    return sum(in_threads(config)[0] == right for _ in range(runs))

equal = {(batch, barrier): runs_equal(batch, barrier)
         for batch, barrier in ((160, False), (1_600, False), (100_000, False), (1_600, True))}
for (batch, barrier), count in equal.items():
    start = "barrier" if barrier else "no barrier"
    print(f"{batch:7,} passcodes, {start:10}: {count} of 10 runs equal the serial one")
reveal("03.sporadic", truth="c", because={
    "a": "A thread is done before the next one has started, so no two threads meet.",
    "b": "Chance has little to do with it. The size of the batch and the start decide.",
}, measured=f"{10 - equal[1_600, False]} of 10")

# %% [markdown] tags=["core"]
# **Verdict: it depends, on two things you choose.** A small unit finishes within its first 5 milliseconds, before the next thread
# is even started. That is a serial run in disguise, and that is why the first tests passed. The more there is to do, the fewer
# runs are right. With a barrier, hardly any run is right, at any size.
#
# ## Who can influence whom?
#
# Let each unit draw once or twice, and try all orders: on the left one cup for both, on the right a cup each.

# %% tags=["core"]
class OneCup:
    def __init__(self):
        self.cup = random.Random(7)

    def draw(self, unit, count):
        return [self.cup.getrandbits(16) for _ in range(count)]

class OwnCups:
    def __init__(self):
        self.cups = [random.Random(70), random.Random(71)]

    def draw(self, unit, count):
        return [self.cups[unit].getrandbits(16) for _ in range(count)]

# %% tags=["core", "stable"]
calls = {f"unit{u}": lambda cups, count, u=u: cups.draw(u, count) for u in range(2)}
counts = {name: [1, 2] for name in calls}
figures.influence({cups.__name__: influence.threads(cups, calls, counts) for cups in (OneCup, OwnCups)})

# %% [markdown] tags=["core"]
# *One cup: how much the neighbour draws, and the order alone, reach my passcodes. A cup each: only my own count does.*
#
# ## When duplicates are real
#
# > **A popular text says:** "Threads that share a generator produce duplicate passcodes within a batch."
#
# For the generators of the standard library, numpy and torch, 16 threads gave 0 duplicates in 100,000, in every recorded run: a
# draw is one call into C, and numpy and torch hold a lock of their own during it. But there are three ways to get duplicates.
# **The first: a state that is changed in several steps.** Many people write this generator by hand.

# %% tags=["core", "setup", "fault:rng-multi-step", "fix:rng-multi-step"]
class Xorshift:
    def __init__(self, seed):
        self.state = seed

    def draw(self):
        x = self.state                            # read
        for left, right in ((13, 7), (17, 0)):
            x ^= x << left & 0xFFFFFFFFFFFFFFFF
            x ^= x >> right if right else 0
        self.state = x                            # write
        return x

# %% tags=["core", "handout", "stable"]
copied = two_units(lambda: Xorshift(2026), Xorshift.draw, same_number).explore()
figures.interleaving(copied.minimal)

# %% [markdown] tags=["core"]
# *One unit reads the state before the other has written its new one: both compute the same number.*
#
# It is the checker's bug again, with `state` as the whiteboard. And it is worse than one duplicate: a thread that is interrupted
# between its read and its write comes back and **rewinds** the state, so that all threads draw the last numbers once more.
#
# In the next cell the threads run free: 100,000 passcodes from 16 threads.

# %% tags=["core", "measured", "claim:18"]
print(measure_units(UnitsConfig(batch=100_000, generator="random, 1 draw")))
with switch_interval(0.001):                      # five times as many switches, for quick machines
    print(measure_units(UnitsConfig(batch=100_000, generator="xorshift in Python")))

# %% [markdown] tags=["core"]
# **Verdict: false for the usual generators, true for one whose draw is several steps.** (A duplicate need not be a race. A
# generator with few output bits repeats itself on its own: by the birthday bound, after about the square root of the number of
# possible values.)
#
# **The second way is in the standard library.** `random.gauss` makes numbers in pairs and keeps the twin in an attribute. (The
# course calls this fault `RNG-02`, and the copied generator below `RNG-01`.) We take its source as it stands in *your* Python,
# and hand it to the explorer.

# %% tags=["core", "setup", "fault:RNG-02", "fix:RNG-02"]
GAUSS = inspect.getsource(random.Random.gauss)

def as_class(name, method):
    """A subclass of random.Random with this method, its source known to whoever asks."""
    text, scope = f"class {name}(random.Random):\n{method}", {**vars(random), "random": random}
    linecache.cache[f"<{name}>"] = (len(text), None, text.splitlines(True), f"<{name}>")
    exec(compile(text, f"<{name}>", "exec"), scope)
    return scope[name]

def with_a_twin(kind):
    rng = kind(5)
    rng.gauss()                                   # the first of a pair: its twin now waits in gauss_next
    return rng

# %% tags=["core", "measured"]
Gauss = as_class("Gauss", GAUSS)
twin = two_units(lambda: with_a_twin(Gauss), lambda rng: rng.gauss(), same_number).explore()
print(twin.verdict, "|", "\n".join(line.strip() for line in GAUSS.splitlines() if "gauss_next" in line))
other = two_units(lambda: Gauss(5), lambda rng: rng.normalvariate(), same_number)
print(other.explore().verdict, "for normalvariate")

# %% [markdown] tags=["core"]
# Both read the twin before either clears it. The docstring says "not thread-safe", and the explorer says where. In CPython 3.10 and
# later there is no switch point between these two lines, as you know from unit 01, so you will not see it today.
#
# **Change one line and run again:** replace `with_a_twin(Gauss)` by `Gauss(5)`. Without a twin that waits, can two units still get
# the same number?
#
# **The third way needs no timing at all: a copy.** A process that forks copies its memory, and the generator is in it.

# %% tags=["core", "setup", "fault:RNG-01", "fix:RNG-01"]
FORK = hasattr(os, "fork")
CHILD = """
import os, random, sys, numpy as np
own, arrays = random.Random(1), np.random.default_rng(1)
np.random.seed(1), random.seed(1)
draws = {"random.Random": lambda: own.getrandbits(64), "random module": lambda: random.getrandbits(64),
         "numpy Generator": lambda: int(arrays.integers(2**62)),
         "numpy global": lambda: int(np.random.randint(2**30))}
for child in range(4):
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, repr({name: draw() for name, draw in draws.items()}).encode())
        os._exit(0)
    os.wait()
    print(os.read(reader, 10_000).decode())
"""

def forked():
    """Four children's first draws by generator, where the system can fork."""
    done = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, check=True)
    rows = [eval(line) for line in done.stdout.splitlines()]
    return {name: [row[name] for row in rows] for name in rows[0]}

def sent(rng, workers=4):
    """What each worker draws first when it gets the generator: to pass it is to pickle a copy."""
    return [pickle.loads(pickle.dumps(rng)).getrandbits(64) for _ in range(workers)]

# %% tags=["core", "measured"]
print("sent to 4 workers:", len(set(sent(random.Random(1)))), "distinct first draw(s)")
for name, draws in forked().items() if FORK else ():
    print(f"forked, {name:16}: {len(set(draws))} distinct of 4")

# %% [markdown] tags=["core"]
# Only the module `random` is different: CPython seeds it anew in a forked child. **On Windows and macOS** new processes start
# by *spawn*. (From Python 3.14 on, Linux does not fork your process by default either.) Then nothing is copied silently. But a
# generator that is passed as an argument is pickled, which is a copy (first line above), and one that a module makes from a fixed
# seed is made again, equal, in every child. Windows cannot fork at all, so the other lines are missing there. The remedy is the
# same everywhere: pass a *unit number*, never a generator.
#
# ## Streams of one's own, and how not to seed them
#
# > **A popular text says:** "Give each unit its own generator, seeded with master seed plus unit number."

# %% tags=["core"]
predict("03.derive", "Masters 0 to 99, units 0 to 15, seed = master + unit. How many streams differ?", {
    "a": "1,600", "b": "About 1,500", "c": "115"})

# %% tags=["core", "setup", "fault:seed-plus-unit", "fault:seed-xor-unit", "fault:seed-joined-text", "fault:seed-hash", "fault:seed-low-bits", "fault:seed-padded-list"]
def tagged(master, unit):
    return int.from_bytes(sha256(f"passcodes:{master}:{unit}".encode()).digest(), "big")

def spawned(master, unit):
    return np.random.SeedSequence(master, spawn_key=(unit,))

DERIVATIONS = {
    "master + unit": lambda master, unit: master + unit,
    "master ^ unit": lambda master, unit: master ^ unit,
    'f"{master}{unit}"': lambda master, unit: f"{master}{unit}",
    "hash((-master, -unit))": lambda master, unit: hash((-master, -unit)),
    "low 32 bits": lambda master, unit: (master << 32 | unit) & 0xFFFFFFFF,
    "sha256, tagged": tagged,
    "spawn_key": lambda master, unit: spawned(master, unit).generate_state(4).tobytes(),
}

def distinct(derive):
    """How many of 1,600 streams differ by their first 128 bits."""
    seeds = (derive(master, unit) for master in range(100) for unit in range(16))
    return len({random.Random(seed).getrandbits(128) for seed in seeds})

# %% tags=["core", "measured", "claim:25"]
found = {name: distinct(derive) for name, derive in DERIVATIONS.items()}
reveal("03.derive", truth="c", because={
    "a": "(0, 1) and (1, 0) have the same sum, and so the same stream.",
    "b": "Sums from 0 to 114 are all there is.",
}, measured=found["master + unit"])
figures.collisions(found, 1600, "Sums and exclusive-ors give away nearly all streams")

# %% [markdown] tags=["core"]
# *How many of 1,600 streams differ. Only a hash of master and unit as a pair keeps them all.*
#
# **Verdict: false for `+` and `^`, true for real mixing.** Two customers with neighbouring masters share 15 of 16 streams. Joined
# texts collide (`1|11` and `11|1`). Python's `hash` has twins, `hash(-1) == hash(-2)`, and for texts it changes with every
# process. "Low 32 bits" is what `torch.Generator().manual_seed` keeps on a CPU. And 32 bits are few: by the birthday bound, two of
# 100,000 such streams are likely to be equal. Here are more traps, on your own interpreter:

# %% tags=["core", "measured"]
from importlib.util import find_spec

print("Random(-5) == Random(5):           ", random.Random(-5).random() == random.Random(5).random())
twice = random.Random(6 << 32 | 7).getstate() == random.Random(7).getstate()
print("Random(6 << 32 | 7) == Random(7):  ", twice)
state = [np.random.SeedSequence(seed).generate_state(2).tolist() for seed in ([7, 0], 7)]
print("SeedSequence([7, 0]) == ...(7):    ", state[0] == state[1])
parent = np.random.SeedSequence(7)
children = [parent.spawn(1)[0].spawn_key for _ in range(2)]
print("spawn() twice gives the same child:", children[0] == children[1])
if find_spec("torch"):
    import torch
    drawn = [torch.rand(1, generator=torch.Generator().manual_seed(master << 32 | 7))
             for master in (1, 2)]
    print("torch, 1 << 32 | 7 == 2 << 32 | 7: ", bool(drawn[0] == drawn[1]))

# %% [markdown] tags=["core"]
# That `spawn` gives another child is not a collision. It is state again: `spawn` counts its calls. `spawn_key=(unit,)` names the
# number itself, and then the order of calls does not matter. That is how `sharedstate.passcodes.generate` finds a unit's stream.
# (To seed the *shared* generator for a moment and then put its state back does not give you a stream of your own: other threads
# draw from it in the meantime.)
#
# **Change one line and run again:** in `DERIVATIONS`, put a separator into the joined text: `f"{master}:{unit}"`. What happens to
# the number? (The separator must not occur in the parts: a colon is enough between numbers, and not between names. And a *tag*,
# here `passcodes`, says what the seed is for, so that no other program derives the same one.)
#
# ## Three remedies
#
# **Serialise** (a lock), **isolate** (a state for each unit), or have **no state** at all. The lock makes each draw one step. It
# does not bring the assignment back, because it never says whose turn it is.
#
# **No state**: Philox is a generator whose number *k* is a function of a key and *k*. Passcode 77,777 of unit 5 needs none of its
# predecessors, and nothing has to be kept between two draws. Below, it is compared with the whole batch.

# %% tags=["core", "fix:rng-shared-stream", "fix:rng-multi-step", "fix:RNG-02", "fix:RNG-01"]
class Locked(Xorshift):
    def __init__(self, seed):
        self.state, self.lock = seed, Lock()

    def draw(self):
        with self.lock:
            return super().draw()

class OwnStream:
    """Unit -> number; only a seed is shared, and nobody writes it."""
    def __init__(self, seed):
        self.seed = seed

    def draw(self, unit):
        return random.Random(tagged(self.seed, unit)).getrandbits(32)

# %% tags=["core", "stable"]
own = {f"unit{u}": lambda streams, u=u: streams.draw(u) for u in range(2)}
def not_their_own(streams, got):
    return got != {f"unit{u}": streams.draw(u) for u in range(2)}

isolated = Scenario(lambda: OwnStream(7), own, never=not_their_own)
print("own stream, own numbers:", isolated.explore().verdict, "| lock, no number twice:",
      two_units(lambda: Locked(2026), Locked.draw, same_number).explore().verdict)

# %% tags=["core", "stable"]
whole_batch = generate(100_000, seed=2026, unit=5)
print(whole_batch[77_777], passcode_at(77_777, seed=2026, unit=5), whole_batch.dtype)

# %% [markdown] tags=["core"]
# ## What it costs
#
# > **Popular texts say:** "The states of 16 generators need next to no memory." "A hundred thousand passcodes take less than a
# > second on one thread." "Threads speed it up." "Isolated generators are faster, since the lock was the cost."

# %% tags=["core"]
predict("03.price", "What makes 100,000 passcodes much faster?", {
    "a": "16 threads", "b": "16 generators without a lock",
    "c": "Drawing them as one array, in one thread"})

# %% tags=["core", "measured", "claim:24"]
for kind in (random.Random(1), np.random.PCG64(1), np.random.Philox(1)):
    size = len(pickle.dumps(kind))
    print(f"{type(kind).__name__:7} {size:5,} bytes pickled, 16 of them {16 * size:6,}")

# %% tags=["core", "measured", "claim:21", "claim:22", "claim:23"]
from time import perf_counter

def seconds(work):
    start = perf_counter()
    work()
    return perf_counter() - start

draws16 = {"batch": 16_000, "generator": "random, 16 draws"}
one = 100 / 16 * min(seconds(lambda: serial(UnitsConfig(**draws16))) for _ in range(3))
def middle(grain):
    runs = [measure_units(UnitsConfig(**draws16, grain=grain)) for _ in range(3)]
    return sorted(runs, key=lambda run: run.seconds)[1]

priced = [middle(grain) for grain in ("none", "draw", "passcode", "own")]
array = min(seconds(lambda: generate(100_000, seed=1)) for _ in range(5))
threads = priced[0].seconds * 100 / 16
print(f"100,000 on one thread: {one:.2f} s; 16 threads: {threads:.2f} s; one array: {array:.4f} s")
reveal("03.price", truth="c", because={
    "a": "The draws hold the GIL: sixteen threads do the work of one.",
    "b": "It is faster than a lock for each draw, and not faster than no lock at all.",
}, measured=f"the array is {one / array:.0f} times as fast as the loop")
figures.generator_runs(priced)

# %% [markdown] tags=["core"]
# *16,000 passcodes in 16 threads, the middle one of three runs. With a generator each, all units have their own stream, and there
# is no lock to pay for.*
#
# **Verdicts.**
#
# * Memory: **true**, a few kilobytes each.
# * Under a second: **true** on the machines that were measured; see yours above.
# * Threads speed it up: **false** with a GIL.
# * Isolated is faster: **it depends** on what you compare with. A recorded run took 3.3 times as long with a lock for each draw,
#   1.06 times with a lock for each passcode, and about as long without a lock. Vectorise before you reach for threads.

# %% tags=["core"]
generator_panel(priced)

# %% [markdown] tags=["core"]
# ## Fair to all symbols
#
# An array of random bytes, and `% 62`: what could be wrong with that?

# %% tags=["core", "setup", "fault:modulo-bias", "fix:modulo-bias"]
def folded(count, seed):
    return np.random.default_rng(seed).integers(256, size=count) % 62

def rejected(count, seed):
    raw = np.random.default_rng(seed).integers(256, size=2 * count)
    return raw[raw < 248][:count] % 62            # 248 = 4 * 62: every symbol equally often

def chi_square(symbols):
    counted = np.bincount(symbols, minlength=62)
    return float(((counted - counted.mean()) ** 2 / counted.mean()).sum())

# %% tags=["core", "stable"]
tried = {"bytes % 62": folded(200_000, 1), "rejected, then % 62": rejected(200_000, 1)}
for name, symbols in tried.items():
    print(f"chi-square of {name}: {chi_square(symbols):.0f}, where 61 is expected")
figures.symbol_counts({name: np.bincount(symbols).tolist() for name, symbols in tried.items()},
                      "Folding 256 values onto 62 makes eight symbols likelier")

# %% [markdown] tags=["core"]
# *256 is four times 62, plus eight: the first eight symbols get a fifth turn. The bytes that are left over have to be rejected.*
#
# ## "No duplicate" is shared state, too
#
# Whether a passcode is new depends on all units. A set of those that were seen, shared by the threads, is one more whiteboard.

# %% tags=["core", "setup", "fault:unique-check-then-add", "fix:unique-check-then-add"]
class Register:
    def __init__(self):
        self.seen = set()

    def new(self, passcode):
        known = passcode in self.seen
        self.seen.add(passcode)
        return not known

class LockedRegister(Register):
    def __init__(self):
        self.seen, self.lock = set(), Lock()

    def new(self, passcode):
        with self.lock:
            return super().new(passcode)

def both_new(register, got):
    return got["unit0"] and got["unit1"]

# %% tags=["core", "stable"]
for kind in (Register, LockedRegister):
    both = two_units(kind, lambda register: register.new("q7"), both_new)
    print(kind.__name__, both.explore().verdict)
units = [generate_unique(64, 10, "ab", seed=1, unit=unit, units=16) for unit in range(16)]
copies = duplicates(np.concatenate(units))
print(len(join(units)), "of 1,024 possible passcodes,", copies, "duplicates, no register")

# %% [markdown] tags=["core"]
# The lock makes check and entry one step, but *which* unit has to give way depends on the order again. Two ways need no register:
#
# * **By construction.** A keyed permutation sends each index to a passcode of its own, and units use different indexes. No unit
#   needs to ask.
# * **At the join.** Every unit draws alone. Where the batches come together, in one thread, sort and compare. The unit with the
#   higher number gives way, whichever was first.
#
# And across batches? Give each batch its own tagged master. Then only chance is left: of 62 to the power of 16 passcodes, you would
# expect a single duplicate among some 10 to the power of 14.
#
# ## The line
#
# | must be shared | must be isolated |
# |---|---|
# | the master seed, the recipe: written once, only read | the state of a stream, or none at all |
# | the promise "no duplicate": by construction or at the join | a unit's passcodes until they are joined |
#
# Three questions for every design. *Can the state be split?* Yes: by unit, with streams that never meet. *How is it put together
# again?* In the order of the units, not of arrival. *Does that cost less than it gains?* One sort, against a lock for every draw.
#
# ## Check yourself
#
# <details><summary>All sorted batches are equal. Is the generator reproducible?</summary>The set is. Each unit's own list need not be: compare unit by unit.</details>
# <details><summary>Your test with 1,600 passcodes is green in 100 of 100 runs. Why does that prove nothing?</summary>Each thread
# was done before the next one started.</details>
# <details><summary>Why not seed with master + unit, when the masters are 100 apart?</summary>Because nothing enforces the distance, and a hash costs nothing.</details>
#
# ## The door to the lab
#
# Seven exercises, with hints. The next cell makes your own copy; it never overwrites one that is there.

# %% tags=["core"]
from sharedstate import workspace

workspace.door("03")
