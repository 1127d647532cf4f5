# %% [markdown] tags=["core"]
# # Lab 03 · The shared random generator
#
# *Seven exercises, about 62 minutes. In a 90-minute class, do the first two.*
#
# Write your answer where it says `# your code here`, and run the check below it. A check tells you what is wrong with *your*
# answer. The hints are folded, and the third one nearly gives it away. Your progress is kept in `my-labs/`.
#
# All passcodes here are test data. For real secrets, use the module `secrets`.

# %% tags=["core", "setup"]
import random
from hashlib import sha256

import numpy as np

from sharedstate.checks import check
from sharedstate.interleave import Scenario
from sharedstate.passcodes import SYMBOLS
from sharedstate.workspace import where_am_i

LENGTH = 16
CODES = np.frombuffer(SYMBOLS.encode(), dtype=np.uint8)     # the 62 symbols as ASCII codes

where_am_i()

# %% [markdown] tags=["core"]
# ## 03.1 A batch of one's own
#
# *8 minutes · difficulty 1 of 3 · 2 points*
#
# Write `unit_batch(master, unit, count)`: a new list of `count` passcodes, each a text of `LENGTH` symbols out of `SYMBOLS`.
# Master and unit are whole numbers from 0 to `2**32 - 1`.
#
# * The batch depends on `master` and `unit` alone. It is the same again after other batches, and in another process.
# * A longer batch begins like a shorter one.
# * Two different pairs of master and unit share nothing.
# * Every passcode is equally likely.
# * No generator outside the function is touched, not even temporarily.
#
# Example: `unit_batch(2026, 3, 5)` gives five passcodes.

# %% tags=["core", "exercise:03.1"]
def unit_batch(master, unit, count):
    """Return this unit's first passcodes, a list of texts."""
    ### BEGIN SOLUTION
    rng = random.Random(f"{master}:{unit}")
    return ["".join(rng.choice(SYMBOLS) for _ in range(LENGTH)) for _ in range(count)]
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("03.1")

# %% [markdown] tags=["core", "hints:03.1"]
# <details><summary>Hint 1</summary><code>random.seed</code> and <code>random.choice</code> use one generator that belongs to everybody. Make one of your own.</details>
# <details><summary>Hint 2</summary>What do (0, 1) and (1, 0) have in common if you add master and unit? A text can be a seed as well.</details>
# <details><summary>Hint 3</summary><code>rng = random.Random(f"{master}:{unit}")</code>, and then <code>rng.choice(SYMBOLS)</code> for each symbol.</details>

# %% [markdown] tags=["core"]
# ## 03.2 Collision hunt
#
# *10 minutes · difficulty 2 of 3 · 3 points*
#
# Write `derive(master, unit)`: a seed for the stream of this unit. It may be an int, a text, bytes, or numpy's `SeedSequence`.
# Master and unit are whole numbers from 0 to `2**64 - 1`.
#
# The check hunts for two pairs that get the same stream:
#
# * small numbers, numbers that differ only above 32 bits, units with many digits;
# * the same pairs again in another order, and as if in another process;
# * and it asks how many different seeds there can be: `2**32` are not enough.
#
# Example: for one master the units 0 to 15 get sixteen different streams. (Nearly everything passes *that*.)

# %% tags=["core", "exercise:03.2"]
def derive(master, unit):
    """Return the seed of a unit's stream."""
    ### BEGIN SOLUTION
    text = f"passcodes:{master}:{unit}"
    return sha256(text.encode()).digest()
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("03.2")

# %% [markdown] tags=["core", "hints:03.2"]
# <details><summary>Hint 1</summary>Adding, xoring and writing one after the other all forget where the master ends and the unit begins.</details>
# <details><summary>Hint 2</summary>Keep both apart by something that no number contains, say with a tag what the seed is for, and mix: <code>hash()</code> is not made for that, <code>hashlib</code> is. Or look at <code>spawn_key</code>.</details>
# <details><summary>Hint 3</summary><code>sha256(f"passcodes:{master}:{unit}".encode()).digest()</code>, or <code>np.random.SeedSequence(master, spawn_key=(unit,))</code>.</details>

# %% [markdown] tags=["core"]
# ## 03.3 Number k, and no predecessors
#
# *8 minutes · difficulty 2 of 3 · 2 points*
#
# Write `passcode(seed, k)`: number `k` of the endless list that belongs to `seed`, a text of `LENGTH` symbols, all equally likely.
#
# * It does not need the passcodes before it: the check asks for number 1,000,000,000,000.
# * It does not remember anything (no cache, no generator outside).
# * No two pairs of seed (below `2**32`) and number (below `2**64`) give the same passcode, or overlapping ones.
#
# Example: `passcode(7, 0)`, `passcode(7, 1)` and `passcode(7, 2)` are three different passcodes.

# %% tags=["core", "exercise:03.3"]
def passcode(seed, k):
    """Return passcode number k of this seed."""
    ### BEGIN SOLUTION
    number = int.from_bytes(sha256(f"{seed}:{k}".encode()).digest(), "big")
    symbols = []
    for _ in range(LENGTH):
        number, place = divmod(number, len(SYMBOLS))
        symbols.append(SYMBOLS[place])
    return "".join(symbols)
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("03.3")

# %% [markdown] tags=["core", "hints:03.3"]
# <details><summary>Hint 1</summary>A state that walks from number to number is not needed. A function of (seed, k) is.</details>
# <details><summary>Hint 2</summary>A digest of seed and k is a number of 256 bits. How do you write a number with 62 digits?</details>
# <details><summary>Hint 3</summary><code>number = int.from_bytes(sha256(...).digest(), "big")</code>, then sixteen times <code>number, place = divmod(number, 62)</code>.</details>

# %% [markdown] tags=["core"]
# ## 03.4 As one array, and fair
#
# *10 minutes · difficulty 2 of 3 · 3 points*
#
# Write `to_symbols(raw)`: `raw` is an array of random bytes (`uint8`). Return an array with the ASCII codes of symbols (`CODES`
# holds all 62), in the order of the bytes:
#
# * A byte gives one symbol or none, and as few bytes as possible are thrown away.
# * Every symbol is equally likely.
# * No Python loop runs over the bytes, and `raw` stays as it is.
#
# The check tries all 256 bytes, and counts Python's steps.
#
# Example: from 40 bytes below 62 you get 40 symbols.

# %% tags=["core", "exercise:03.4"]
def to_symbols(raw):
    """Return the symbols' ASCII codes, an array; raw is an array of bytes."""
    ### BEGIN SOLUTION
    kept = raw[raw < 248]
    return CODES[kept % 62]
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("03.4")

# %% [markdown] tags=["core", "hints:03.4"]
# <details><summary>Hint 1</summary>256 is not a multiple of 62. Which bytes are left over after the last full round?</details>
# <details><summary>Hint 2</summary>An array of conditions chooses elements: <code>raw[raw < limit]</code>. An array of places looks up: <code>CODES[places]</code>.</details>
# <details><summary>Hint 3</summary>4 · 62 = 248: keep the bytes below it, and return <code>CODES[kept % 62]</code>.</details>

# %% [markdown] tags=["core"]
# ## 03.5 Workers that do not echo
#
# *8 minutes · difficulty 3 of 3 · 3 points*
#
# Worker processes draw numbers. Write two functions:
#
# * `plan(master, workers)` runs in the parent and returns a list of jobs, one for each worker.
# * `work(job, count)` runs in the child and returns `count` whole numbers of 32 bits.
#
# A job is pickled on its way. A child that was forked also has a copy of every generator of the parent, `random`'s own included.
#
# * No two workers draw from the same stream, not even workers of different masters, with a thousand workers each.
# * A second run from the same master gives the same numbers, whatever the order of the workers and in whatever process they run.
#
# Example: one worker, `work(plan(7, 1)[0], 4)`, gives four numbers, and the same four in the next run.

# %% tags=["core", "exercise:03.5"]
def plan(master, workers):
    """Return one job for each worker."""
    ### BEGIN SOLUTION
    return [(master, unit) for unit in range(workers)]
    ### END SOLUTION

def work(job, count):
    """Return count numbers below 2**32."""
    ### BEGIN SOLUTION
    master, unit = job
    rng = random.Random(f"{master}:{unit}")
    return [rng.getrandbits(32) for _ in range(count)]
    ### END SOLUTION

workers = ...
### BEGIN SOLUTION
workers = (plan, work)
### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("03.5")

# %% [markdown] tags=["core", "hints:03.5"]
# <details><summary>Hint 1</summary>A generator in a job is a copy in every child. What is small, and different for each?</details>
# <details><summary>Hint 2</summary>Hand over the master and the worker's number, and make the generator in the child.</details>
# <details><summary>Hint 3</summary>Jobs <code>(master, unit)</code>; in the child <code>random.Random(f"{master}:{unit}")</code>; <code>workers = (plan, work)</code>.</details>

# %% [markdown] tags=["core"]
# ## 03.6 An oracle that does not sort the bug away
#
# *6 minutes · difficulty 1 of 3 · 2 points*
#
# A run and the run that is wanted are dictionaries: number of the unit → list of passcodes. Write `reproduced(run, wanted)`:
#
# * True when every unit got its own passcodes in their order, False otherwise.
# * The order of the units in the dictionary does not matter.
# * Both dictionaries stay as they are.
#
# Example: a run compared with itself is True.

# %% tags=["core", "exercise:03.6"]
def reproduced(run, wanted):
    """Return True when each unit has its own passcodes, in order."""
    ### BEGIN SOLUTION
    return run == wanted
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("03.6")

# %% [markdown] tags=["core", "hints:03.6"]
# <details><summary>Hint 1</summary>Sorting, counting or making a set forgets which unit had what.</details>
# <details><summary>Hint 2</summary>Units may be missing, batches may be too short. <code>zip</code> says nothing about either.</details>
# <details><summary>Hint 3</summary>Dictionaries of lists can be compared as they are, with two equals signs.</details>

# %% [markdown] tags=["core"]
# ## 03.7 Prove the streams
#
# *12 minutes · difficulty 3 of 3 · 3 points*
#
# Now *you* ask the explorer. `streams` is a class: `streams(7)` makes an object from a seed, and `draw(unit)` returns the next number
# for unit 0 or unit 1. Write `streams_verdict(streams)`:
#
# * Two units draw from **one** object at the same time, each more than once. Try every order.
# * Each unit must get its own numbers, whatever the order: those it gets when one unit runs after the other.
# * Return the explorer's own word: `"proved"`, `"broken"` or `"deadlock"`.
#
# Example: with one state for both units the word is `"broken"`, with a generator for each unit `"proved"`.

# %% tags=["core", "exercise:03.7"]
def streams_verdict(streams):
    """Return "proved", "broken" or "deadlock" for a class with draw(unit)."""
    ### BEGIN SOLUTION
    units = {f"unit{u}": lambda drawn, u=u: [drawn.draw(u), drawn.draw(u)] for u in range(2)}
    serial = Scenario(lambda: streams(7), units).play([f"{unit}*" for unit in units]).answers

    def wrong(drawn, got):
        return [got[unit] for unit in units] != [serial[unit] for unit in units]

    return Scenario(lambda: streams(7), units, never=wrong).explore().verdict
    ### END SOLUTION

# %% tags=["core"]
check("03.7", streams_verdict)

# %% [markdown] tags=["core", "hints:03.7"]
# <details><summary>Hint 1</summary>What should a unit get? Let one run after the other once, with <code>play(["unit0*", "unit1*"])</code>, and keep the answers.</details>
# <details><summary>Hint 2</summary>Compare unit by unit. If you sort, or look for numbers that come twice, a locked generator looks right.</details>
# <details><summary>Hint 3</summary>Two threads that return <code>[drawn.draw(u), drawn.draw(u)]</code>; <code>never</code> says whether any unit's answer differs from the serial one.</details>

# %% [markdown] tags=["core"]
# ## What you take with you
#
# You can give each unit a stream that nobody else can touch, find the derivations that collide, draw any passcode alone, draw
# fairly and in one go, start workers that do not echo, and prove a stream without sorting the evidence away. Unit 04 asks the
# same question of tokens: who may influence whom?
