# %% [markdown] tags=["core"]
# # Lab 09 · Batching and sampling
#
# *Seven exercises, about 80 minutes. In a 90-minute class, do the first and the third.*
#
# Write your answer where it says `# your code here`, and run the check below it. The servers here are small enough to read, and their
# tokens are small whole numbers. Don't change what you are given, unless the exercise says so. Each answer cell must stand on its own.
# The hints are folded, and the third one nearly gives it away. Your progress is kept in `my-labs/`.

# %% tags=["core", "setup"]
import hashlib
import random

import torch

from sharedstate.checks import check
from sharedstate.interleave import Scenario
from sharedstate.workspace import where_am_i

torch.set_num_threads(1)
where_am_i()

# %% [markdown] tags=["core"]
# ## 09.1 A sampler for a batch
#
# *14 minutes · difficulty 3 of 3 · 3 points*
#
# `logits` is `[n, vocab]`, in float32, float64 or bfloat16: one row for each request. `ways[r]` is row `r`'s `(temperature, top_k, top_p)`, and `numbers[r]` its
# own random number, from 0 to below 1. Return a list with one token (a whole number) for each row.
#
# * temperature 0: the most likely token. Among equally likely ones, here and below, the **lower token** comes first
# * else the shares are the softmax of the logits divided by the temperature, in float32 at least
# * `top_k` keeps the k most likely tokens, and 0 keeps all
# * `top_p` keeps of **these** the fewest, the most likely first, that have at least the share `top_p` of them together. 1 keeps all of these
# * the kept tokens stand in a line, **from the lowest token to the highest**, each as wide as its share of the line. The number says how far to go
#   along it: 0 is where it begins, 1 its end. Return the token that one arrives at
# * a logit of minus infinity is a token that is never drawn
#
# No row's token may depend on the other rows.
#
# Example: `sample(torch.tensor([[0.0, 1.0, 2.0]]), [(1.0, 0, 1.0)], [0.3])` is `[1]`: token 0 goes from 0 to 0.09, token 1 from there to 0.33.

# %% tags=["core", "exercise:09.1"]
def sample(logits, ways, numbers):
    """Return a list with one token for each row of logits [n, vocab]."""
    ### BEGIN SOLUTION
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)     # [vocab] each
        best = best[: top_k or None]
        before = best.cumsum(-1) - best                             # what the more likely ones have together
        kept = order[: len(best)][before < top_p * best.sum()].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens
    ### END SOLUTION

# %% tags=["core"]
check("09.1", sample)

# %% [markdown] tags=["core", "hints:09.1"]
# <details><summary>Hint 1</summary>Take one row after the other: nothing of a row then depends on another one. Two orders are needed in a row: by share, to say who stays, and by token, to stand in line.</details>
# <details><summary>Hint 2</summary>A stable sort, the largest first, keeps equal ones in the order of their tokens. A token stays in <code>top_p</code> if those before it do not have the share yet, so the first one always stays.</details>
# <details><summary>Hint 3</summary><code>before = best.cumsum(-1) - best</code> and <code>before &lt; top_p * best.sum()</code>. Sort those who are left by token; the token is the first whose running sum is above <code>number</code> times the whole sum.</details>

# %% [markdown] tags=["core"]
# ## 09.2 Whose dice are these?
#
# *10 minutes · difficulty 2 of 3 · 3 points*
#
# Write `dice(request_id, seed, sample, start)`. It returns an **iterator** without an end: the random numbers of one request, from 0 to below 1, one for each
# token. `request_id` is a text. `seed` is `None`, a whole number of any size and sign, or a text. `sample` is 0, 1, 2, …: which of several answers
# to one prompt this is.
#
# * the stream belongs to its key: the `seed` if one is given, whatever the id, else the id; and the `sample`
# * the same key gives the same numbers, in every process, whoever else draws in between
# * two different keys have nothing in common: seed 1 and seed `"1"` differ, seed `"ann"` and the id `"ann"` do, and so do seed 0 and no seed
# * `start` says how many numbers of the stream are used up already (a request that was preempted goes on): the first number is the one after them
# * nothing outside the function changes, no global generator either
#
# Example: `next(dice("ann", None, 0, 2))` is the third number that comes out of `dice("ann", None, 0, 0)`.

# %% tags=["core", "exercise:09.2"]
def dice(request_id, seed, sample, start):
    """Return an iterator of a request's random numbers, from number `start` on."""
    ### BEGIN SOLUTION
    key = ("id", request_id, sample) if seed is None else ("seed", seed, sample)
    digest = hashlib.sha256(repr(key).encode()).digest()
    own = random.Random(int.from_bytes(digest, "big"))
    for _ in range(start):
        own.random()
    while True:
        yield own.random()
    ### END SOLUTION

# %% tags=["core"]
check("09.2", dice)

# %% [markdown] tags=["core", "hints:09.2"]
# <details><summary>Hint 1</summary>One generator for each call, made once, from a key that keeps its parts apart. Unit 03 had the same question.</details>
# <details><summary>Hint 2</summary><code>repr</code> of a tuple keeps types and parts apart: <code>("seed", 1, 0)</code> and <code>("seed", "1", 0)</code> are two texts. Python's <code>hash()</code> of a text differs between processes, and <code>seed or request_id</code> forgets the seed 0.</details>
# <details><summary>Hint 3</summary><code>random.Random(int.from_bytes(hashlib.sha256(repr(key).encode()).digest(), "big"))</code>; draw <code>start</code> numbers and throw them away, then <code>yield</code> one after the other.</details>
