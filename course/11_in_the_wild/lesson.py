# %% [markdown] tags=["core"]
# # 11 · In the wild
#
# *90 minutes, then lab 11. You need not read everything: choose ten of the 22 pages.*
#
# On 20 March 2023, some users of a chat service found other people's conversations in their list, and some saw a stranger's name and
# address on the payment page. Nobody had broken in. A request had been cancelled at a bad moment, and a connection went back into its
# pool with an answer in it that nobody had read.
#
# This unit has 22 bugs that happened in public, in libraries that people use. Each has one page, and each page has the same parts:
#
# * the **symptom** and **who was hurt**, as it was reported
# * the **mechanism**, in one or two sentences
# * the **smallest reproduction**: a cell that shows the bug every time, in a blink, without a server
# * the **oracle** that sees it, the **fix**, and the proof
# * the **report**, and the question that pays most: **where else does this live?**
#
# After that come two kinds of exhibit of our own: **state that outlives a call**, in seven miniatures, and two **libraries as they
# are installed here**.

# %% tags=["core", "setup"]
import io
import itertools
import os
import pickle
import random
import sys
import threading
import zlib
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from contextvars import ContextVar, copy_context

import numpy as np
import torch
from ipywidgets import Output
from torch.nn.functional import dropout, scaled_dot_product_attention

from sharedstate import figures, workspace
from sharedstate.faults.incidents import by_kind, page
from sharedstate.figures.slots import Place
from sharedstate.influence import second_call
from sharedstate.interleave import Scenario
from sharedstate.panels import predict, reveal

torch.set_num_threads(1)

# %% tags=["core", "setup"]
def play(order, tasks):
    """Let generators take a step each, in this order; return what each of them returned, by name."""
    answers = {}
    for who in order:
        try:
            next(tasks[who])
        except StopIteration as end:
            answers[who] = end.value
    return answers

ORDERS = sorted(set(itertools.permutations(["ann", "ann", "bob", "bob"])))      # all six
ONE_BY_ONE = [ORDERS[0], ORDERS[-1]]

# %% [markdown] tags=["core"]
# ## Choose ten
#
# The 22 incidents shared ten kinds of state. Take one of each line, and you have seen the family.

# %% tags=["core", "stable"]
kinds = by_kind()
display(figures.incident_map(kinds, "Ten kinds of shared state explain 22 incidents"))
for one in itertools.chain(*kinds.values()):
    print(f"{one.name:8} {one.kind:13} {one.seen}")

# %% [markdown] tags=["core"]
# *Each line is a kind of state, each box an incident. The letters are those of the pages below.*
#
# On each page the last line of the cell calls `page`. It prints what the oracle says of the miniature, and then what it says of the
# entry of the same name in the course's fault table. That entry is the same bug in a whole engine or class, in the unit that
# explains it. An alarm on the bug, quiet on the control and on the fix: that is the proof, and if it were otherwise, the cell
# would fail.
#
# ## A connection, an object, a thread
#
# ### PY-01 · One customer's reply goes to another
#
# **Symptom.** A customer sees another customer's data. From then on every reply on that connection is off by one. **Hurt:** users of
# a chat service in March 2023: titles of strangers' conversations, and for some, payment details. **Mechanism.** A task is
# cancelled after its command was written and before the reply was read. The connection goes back into the pool with the reply
# still unread. **Oracle.** A reply must carry the name of the one who reads it.

# %% tags=["core"]
predict("11.reply", "Ann is cancelled after her command. Bob, Cem, Dora ask. Whose reply is wrong?", {
    "a": "Bob alone", "b": "Bob, Cem and Dora", "c": "Nobody: a cancelled command has no reply"})

# %% tags=["core", "stable", "incident:PY-01"]
def served(names, cancelled=None, drop=False):
    """Who reads whose reply, on one connection; `cancelled` never reads its own."""
    wire, got = [], []
    for name in names:
        wire.append(name)                              # the command is out, a reply will come
        if name == cancelled:
            wire = [] if drop else wire                # the fix: a new connection
            got.append((name, None))
        else:
            got.append((name, wire.pop(0)))            # the reply that comes first
    return got

def mixed(rows):
    return any(reply not in (name, None) for name, reply in rows)

four = ["Ann", "Bob", "Cem", "Dora"]
page("PY-01", mixed(served(four, "Ann")), mixed(served(four)), mixed(served(four, "Ann", drop=True)))

# %% tags=["core", "handout", "stable"]
display(figures.replies(served(four, "Ann"), "One cancelled request shifts every later reply"))
wrong = [name for name, reply in served(four, "Ann") if reply not in (name, None)]
reveal("11.reply", truth="b", measured=f"wrong: {', '.join(wrong)}", because={
    "a": "Bob leaves his own reply behind, for Cem.",
    "c": "The server had the command already, and answered it."})

# %% [markdown] tags=["core"]
# *An arrow goes from a reply to its reader. Ann's is read by Bob, his by Cem, and so on until the connection is closed.*
#
# **Fix.** A connection with an unread reply is closed, never given back. **Where else?** Everything with a pool and a time-out: database
# drivers, HTTP keep-alive, a pipe to a child process. [The report](https://github.com/redis/redis-py/issues/2624), and
# [what the service wrote](https://openai.com/blog/march-20-chatgpt-outage). Told in unit 02.
#
# **Change one line and run again:** cancel Cem in place of Ann. Who is hurt now?
#
# ### PY-02 · The login of somebody else
#
# **Symptom.** An error in one login is handled as if it were another's. **Hurt:** people who log in at the same moment. **Mechanism.** A
# middleware is *one* object for the whole process. Each request puts its strategy onto `self` and reads it back later. (The
# reporter spelled out the order; nobody had it on film.) **Oracle.** Each answer equals the answer alone, in all orders.

# %% tags=["core", "stable", "incident:PY-02"]
def on_self(middleware, user):
    middleware["strategy"] = user
    yield                                              # other lines of the same request
    return middleware["strategy"]

def local(middleware, user):
    strategy = user
    yield
    return strategy

def confused(handle, orders):
    def visit(order, middleware):
        return play(order, {user: handle(middleware, user) for user in ("ann", "bob")})
    return any(visit(order, {}) != {"ann": "ann", "bob": "bob"} for order in orders)

page("PY-02", confused(on_self, ORDERS), confused(on_self, ONE_BY_ONE), confused(local, ORDERS))

# %% [markdown] tags=["core"]
# **Fix.** A local variable or an argument. **Where else?** Views, handlers, serializers, plug-ins: whatever a framework makes once and calls
# often. [The report](https://github.com/omab/python-social-auth/issues/221). Told in unit 02.
#
# ### PY-03 · The guest who was logged in
#
# **Symptom.** What was set in one request is visible in the next one. **Hurt:** visitors who are taken for somebody else.
# **Mechanism.** The user lies in a `threading.local`, and the server's threads are used again. Each thread has its own state; two
# requests in one thread share it. **Oracle.** A request without a user finds none.

# %% tags=["core", "stable", "incident:PY-03"]
def guest_sees(request, threads):
    """Alice, then a guest without a name, in a pool of one thread or in a thread each."""
    mine = threading.local()
    pools = [ThreadPoolExecutor(1) for _ in range(threads)]
    pools[0].submit(request, mine, "alice").result()
    return pools[-1].submit(request, mine, None).result()

def keeps(mine, user):
    if user:
        mine.user = user
    return getattr(mine, "user", None)

def clears(mine, user):
    mine.user = user                                   # always, also when there is none
    return mine.user

page("PY-03", guest_sees(keeps, 1), guest_sees(keeps, 2), guest_sees(clears, 1))

# %% [markdown] tags=["core"]
# **Fix.** Set it at the start of every request, or clear it at the end, in a `finally`. **Where else?** Log contexts, locales, database
# sessions "per thread". In an event loop it is worse: there, all tasks are one thread.
# [The report](https://github.com/cherrypy/cherrypy/issues/309). Told in unit 02.
#
# ## A generator
#
# ### RNG-01 · Four workers, one augmentation
#
# **Symptom.** All workers of a data loader cut and turn their images alike. **Hurt:** people who train with several workers. Nothing
# fails, the data are just less varied. **Mechanism.** Starting a worker copies the process, and with it the state of the generator. **Oracle.** First
# draws are different for each worker, and the same when made again. (A copy by pickle does what a fork does.)

# %% tags=["core", "stable", "incident:RNG-01"]
def copied(workers):
    rng = np.random.default_rng(1)
    return [int(pickle.loads(pickle.dumps(rng)).integers(2**62)) for _ in range(workers)]

def own(workers):
    return [int(np.random.default_rng([1, worker]).integers(2**62)) for worker in range(workers)]

def alike(draws):
    return len(set(draws)) < len(draws)

page("RNG-01", alike(copied(4)), alike(copied(1)), alike(own(4)) or own(4) != own(4))

# %% [markdown] tags=["core"]
# **Fix.** Hand over a worker's number, never a generator: the seed is (seed, worker). **Where else?** Everything that is copied by a
# fork: caches, open files, a session key, the counter behind a unique name. [The report](https://github.com/pytorch/pytorch/issues/5059).
# Told in unit 03.
#
# ### RNG-02 · One number for two
#
# **Symptom.** Two threads get the same Gaussian number. **Hurt:** simulations that count on independent draws. **Mechanism.** The method
# makes numbers in pairs and keeps the twin in an attribute. To read the twin and to clear it are two steps. **Oracle.** All orders
# give two different numbers.

# %% tags=["core", "stable", "incident:RNG-02"]
def two_steps(pair):
    twin = pair["twin"]
    yield                                              # the other thread may read here
    pair["twin"] = None
    return next(pair["fresh"]) if twin is None else twin

def one_step(pair):
    twin = pair.pop("twin", None)                      # read and cleared at once
    yield
    return next(pair["fresh"]) if twin is None else twin

def twice(draw, orders):
    def numbers(order):
        pair = {"twin": 0, "fresh": itertools.count(1)}
        return play(order, {who: draw(pair) for who in ("ann", "bob")}).values()
    return any(len(set(numbers(order))) < 2 for order in orders)

page("RNG-02", twice(two_steps, ORDERS), twice(two_steps, ONE_BY_ONE), twice(one_step, ORDERS))

# %% [markdown] tags=["core"]
# **Fix.** A lock around the call, or a generator of one's own for each thread. **Where else?** Every "I keep the second half for the next
# call": buffered readers, decoders, `strtok`. [The report](https://github.com/python/cpython/pull/22928). Told in unit 03.
#
# ### SAMP-01 · My seed, my text, unless you are here
#
# **Symptom.** The same seed gives another text when other slots of the server are busy. **Hurt:** people who report "cannot be
# reproduced". **Mechanism.** All slots draw from one generator. **Oracle.** Ann's draws beside Bob equal her draws alone.

# %% tags=["core", "stable", "incident:SAMP-01"]
def ann_draws(neighbour, shared):
    dice = defaultdict(lambda: torch.Generator().manual_seed(7))
    drawn = []
    for _ in range(4):
        drawn.append(float(torch.rand((), generator=dice["all" if shared else "ann"])))
        if neighbour:
            torch.rand((), generator=dice["all" if shared else "bob"])
    return drawn

page("SAMP-01", ann_draws(True, shared=True) != ann_draws(False, shared=True),
     ann_draws(False, shared=True) != ann_draws(False, shared=True),
     ann_draws(True, shared=False) != ann_draws(False, shared=False))

# %% [markdown] tags=["core"]
# **Fix.** A generator for each request, made from its seed and its id. **Where else?** Load tests, games, A/B assignments: "who else drew
# in between?" [The report](https://github.com/ggml-org/llama.cpp/pull/6835). Told in unit 09.
#
# ### SAMP-02 · The same choice at every step
#
# **Symptom.** Seeded sampling repeats itself. **Hurt:** users of the `seed` option. **Mechanism.** The opposite mistake: the generator is
# made anew from the seed for each token, so it never moves on. **Oracle.** Six draws equal six draws of one generator.

# %% tags=["core", "stable", "incident:SAMP-02"]
def chosen(steps, rebuilt):
    dice, weights = torch.Generator().manual_seed(5), torch.ones(50)
    tokens = []
    for _ in range(steps):
        if rebuilt:
            dice = torch.Generator().manual_seed(5)
        tokens.append(int(torch.multinomial(weights, 1, generator=dice)))
    return tokens

wanted = chosen(6, rebuilt=False)
print("rebuilt for each token:", chosen(6, rebuilt=True), "  kept:", wanted)
page("SAMP-02", chosen(6, True) != wanted, chosen(1, True) != wanted[:1], len(set(wanted)) == 1)

# %% [markdown] tags=["core"]
# **Fix.** The request owns its generator for as long as it lives. **Where else?** A nonce, a retry's jitter, a "random" file name that is
# seeded with the clock. [The report](https://github.com/vllm-project/vllm-metal/pull/50). Told in unit 09.
#
# ## A mask
#
# ### MASK-01 · Every step returns the same vector
#
# **Symptom.** With a cache, each decoding step gives the same output. **Hurt:** people who write their own decoding loop; it is documented,
# and it bites. **Mechanism.** `is_causal` counts from the top left. One query with six keys may then see key 0, and nothing else.
# **Oracle.** The last row of the whole computation.

# %% tags=["core", "stable", "incident:MASK-01"]
q, k, v = torch.randn(3, 1, 6, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)

def last_row(queries, is_causal):
    return scaled_dot_product_attention(q[:, -queries:], k, v, is_causal=is_causal)[0, -1]

whole = (q[0, -1] @ k[0].T / 2).softmax(-1) @ v[0]

def differs(row):
    return not torch.allclose(row, whole, atol=1e-9)

print("one query returns value 0 as it is:", torch.equal(last_row(1, True), v[0, 0]))
page("MASK-01", differs(last_row(1, True)), differs(last_row(6, True)), differs(last_row(1, False)))

# %% [markdown] tags=["core"]
# **Fix.** One query needs no mask; several need one that counts from the bottom right. **Where else?** Each place where two
# lengths that used to be equal no longer are: windows, chunks, speculative tokens.
# [The report](https://github.com/pytorch/pytorch/issues/103082). Told in unit 04.
#
# ### MASK-02 · A wonderful loss
#
# **Symptom.** The loss is almost zero, and so is the validation loss; the generated text is useless. **Hurt:** whoever believed
# the curve. **Mechanism.** The mask was -10,000 and not minus infinity. Training drove the real scores below it, and the future won the softmax.
# (Traced by the reporter, in a port.) **Oracle.** No weight on the future, whatever the scores are: hostile scores, not random ones.

# %% tags=["core", "stable", "incident:MASK-02"]
def future(past_score, blocked):
    """The weight of the future beside one past key with this score."""
    return float(torch.tensor([past_score, blocked]).softmax(0)[1])

page("MASK-02", future(-2e4, -1e4) > 0, future(0.5, -1e4) > 0, future(-2e4, float("-inf")) > 0)

# %% [markdown] tags=["core"]
# **Fix.** A boolean mask, filled with minus infinity. **Where else?** Every "impossible" value that is an ordinary number: -1 for no index,
# 0 for no price, 1970 for no date. [The report](https://github.com/karpathy/minGPT/issues/75). Told in unit 04.
#
# ### MASK-03 · A leak with dropout on
#
# **Symptom.** A causal layer sees the future, but only while training, or when the scores are asked for. **Hurt:** users of one release
# (confirmed by the author of the change). **Mechanism.** "The fused kernel masks by itself", so the mask is dropped; then the code falls
# through to the path that is not fused. **Oracle.** The gradient of output 0 for input 2 is exactly zero, on each path.

# %% tags=["core", "stable", "incident:MASK-03"]
def attend(x, drop=0.0, keep_mask=False):
    mask = torch.ones(3, 3).tril().bool() if keep_mask else torch.ones(3, 3).bool()
    if drop == 0:
        return scaled_dot_product_attention(x[None], x[None], x[None], is_causal=True)[0]
    weights = (x @ x.T).masked_fill(~mask, float("-inf")).softmax(-1)
    return dropout(weights, drop) @ x

def sees_future(**way):
    x = torch.eye(3, requires_grad=True)
    (gradient,) = torch.autograd.grad(attend(x, **way)[0].sum(), x)
    return bool(gradient[2].any())

page("MASK-03", sees_future(drop=1e-6), sees_future(drop=0.0), sees_future(drop=1e-6, keep_mask=True))

# %% [markdown] tags=["core"]
# **Fix.** The mask stays on all paths. **Where else?** Each fast path that leaves out a check "since the other side does it": validation in the
# browser, escaping in a template. [The report](https://github.com/keras-team/keras/issues/23038). Told in unit 04.
#
# ## A batch
#
# ### PAD-01 · Short prompts are mispredicted
#
# **Symptom.** In a batch that is padded on the left, every prompt but the longest gets a worse answer. No error. **Hurt:** those with
# the short questions. **Mechanism.** The mask is right, and the positions are not made from it: the first real token is at position 3.
# **Oracle.** The logits of the same prompt alone, in double precision.

# %% tags=["core", "stable", "incident:PAD-01"]
dice = torch.Generator().manual_seed(0)
E, P = torch.randn(12, 8, generator=dice).double(), torch.randn(10, 8, generator=dice).double()

def logits(tokens, real, positions):
    """A model of one head: tokens and learned positions in, the last row's logits out."""
    x = E[tokens] + P[positions]
    weights = (x[-1] @ x.T / 8**0.5).masked_fill(~real.bool(), float("-inf")).softmax(-1)
    return weights @ x @ E.T

def padded(pads, from_mask):
    real = torch.tensor([0] * pads + [1, 1, 1])
    positions = (real.cumsum(0) - 1).clamp(min=0) if from_mask else torch.arange(pads + 3)
    return logits(torch.tensor([0] * pads + [5, 3, 7]), real, positions)

alone = logits(torch.tensor([5, 3, 7]), torch.ones(3), torch.arange(3))
off = [float((padded(*way) - alone).abs().max()) for way in ((3, False), (0, False), (3, True))]
page("PAD-01", *(gap > 1e-9 for gap in off))

# %% [markdown] tags=["core"]
# **Fix.** Positions are counted from the mask. **Where else?** Two facts about one thing that are derived apart: rows and labels after a
# sort, a table and its index after a delete. [The report](https://github.com/ndif-team/nnsight/pull/673). Told in unit 07.
#
# ### INV-01 · The text changes with the batch
#
# **Symptom.** Greedy output changes with the number of slots. **Hurt:** whoever compares runs. **Mechanism.** An addition of floats depends on
# its grouping, and the grouping on the shape of the batch. One last digit flips a near tie. **This is not a leak:** nothing of the
# neighbour's *content* arrives. **Oracle.** Equal bits in batches of any size, if you promise that; else a tolerance.

# %% tags=["core", "stable", "incident:INV-01"]
numbers = torch.randn(4096, generator=torch.Generator().manual_seed(0))

def total(chunk):
    return float(torch.stack([part.sum() for part in numbers.split(chunk)]).sum())

def sums(chunk_of, batches=(1, 4, 16)):
    return {total(chunk_of(batch)) for batch in batches}

by_batch, fixed = (lambda batch: 4096 // batch), (lambda batch: 64)
print("the sum in batches of 1, 4, 16:", *(f"{total(by_batch(batch)):.6f}" for batch in (1, 4, 16)))
page("INV-01", len(sums(by_batch)) > 1, len(sums(by_batch, (4, 4))) > 1, len(sums(fixed)) > 1)

# %% [markdown] tags=["core"]
# **Fix.** Pieces of a fixed size, whatever the batch; it costs some speed. **Where else?** Sums over workers, over partitions of a
# table, over threads that finish in any order. [The report](https://github.com/ggml-org/llama.cpp/pull/6950). Told in unit 09.
#
# ## A slot
#
# ### KV-01 · Set to zero, and not empty
#
# **Symptom.** A cache that was reset answers the second prompt oddly. **Hurt:** users who reset a cache object and use it again.
# **Mechanism.** The reset filled K and V with zeros. But the *length* of a growing cache is the shape of its tensor, so the second prompt
# stands behind a row of zeros, and these take part in the softmax. **Oracle.** The logits on a fresh cache.

# %% tags=["core", "stable", "incident:KV-01"]
def answered(cache, prompt=(5, 3, 7)):
    """Append a prompt to a cache's rows; return the last row's logits, and the weight of older rows."""
    rows = torch.cat([cache, E[list(prompt)] + P[: len(prompt)]])
    weights = (rows[-1] @ rows.T / 8).softmax(-1)
    return weights @ rows @ E.T, float(weights[: len(cache)].sum())

used, fresh = E[[1, 2, 9, 4]], E[:0]
right, _ = answered(fresh)
zeroed, mass = answered(torch.zeros_like(used))
print(f"rows of zeros take {mass:.0%} of the attention")
page("KV-01", not torch.allclose(zeroed, right), not torch.allclose(answered(fresh)[0], right),
     not torch.allclose(answered(used[:0])[0], right))

# %% tags=["core", "stable"]
ZERO, OWN = Place(None, "0", stale=True, read=True), Place("Bob")
pools = {"reset by zeros": [[ZERO] * 4 + [OWN] * 3], "reset by length": [[OWN] * 3]}
title = "Zeros that count as rows are read like all others"
display(figures.memory_map(pools, title, reader="Bob", word="row"))

# %% [markdown] tags=["core"]
# *Bob's prompt stands behind four rows of zeros. The frame marks what he reads and nobody wrote for him.*
#
# **Fix.** A reset makes the length 0; the data may stay. **Where else?** A buffer that is "cleared" and keeps its size: `memset` on a ring
# buffer, blanked cells of a sheet that a mean still counts. [The report](https://github.com/huggingface/transformers/pull/48809). Told in unit 07.
#
# ### KV-02 · Masked, and NaN all the same
#
# **Symptom.** NaN in the output, although each unused place is masked. **Hurt:** users of a fused kernel, now and then. **Mechanism.** A
# masked place has the weight 0, and 0 × NaN is NaN. The leftover of the last tenant was not finite. (Reported; the same effect was
# fixed elsewhere.) **Oracle.** Finite output with poison in the places that nobody may read.

# %% tags=["core", "stable", "incident:KV-02"]
def output(leftover, select=False):
    weights, values = torch.tensor([0.5, 0.5, 0.0]), torch.tensor([1.0, 2.0, leftover])
    if select:
        values = values.where(weights > 0, 0.0)        # look, and do not multiply
    return float(weights @ values)

page("KV-02", output(float("nan")) != 1.5, output(1e30) != 1.5, output(float("nan"), select=True) != 1.5)

# %% [markdown] tags=["core"]
# **Fix.** Select instead of multiplying, or scrub a block before it is used again. **Where else?** Weights of zero in a loss, a mean with
# missing values, `x * flag`. [The report](https://github.com/Dao-AILab/flash-attention/issues/2374). Told in unit 07.
#
# ## A table
#
# ### OFF-01 · Garbage when the neighbour finishes
#
# **Symptom.** The first token is right; then one user's text turns to garbage, at the moment when another's ends. **Hurt:** a user in
# the same batch. **Mechanism.** A row of the block table is used again for a shorter request. Only its own block numbers are copied; the tail
# still names a living request's blocks, and a wider consumer writes through them. (Detailed, and closed unmerged.) **Oracle.** What
# a request writes is part of what it owns.

# %% tags=["core", "stable", "incident:OFF-01"]
def writes_to(row, own, whole):
    """The blocks that are written through a row after `own` has moved into it; 0 is nobody's."""
    row = list(row)
    row[: len(own)] = own
    if whole:
        row[len(own):] = [0] * (len(row) - len(own))
    return set(row) - {0}

page("OFF-01", not writes_to([5, 6, 1, 2], [8, 9], whole=False) <= {8, 9},
     not writes_to([5, 6], [8, 9], whole=False) <= {8, 9},
     not writes_to([5, 6, 1, 2], [8, 9], whole=True) <= {8, 9})

# %% [markdown] tags=["core"]
# **Fix.** Rows move whole; what is not used names the null block. **Where else?** A shorter text over a longer one in a fixed buffer, a file
# that is written over and not cut. [The report](https://github.com/tenstorrent/vllm-tt-plugin/pull/103). Told in unit 08.
#
# ### OFF-02 · Minus one is the last
#
# **Symptom.** The padding of a recorded batch overwrites the last real slot. **Hurt:** the request that lives there. **Mechanism.** The slot
# number -1 means "skip me". Integer division and remainder take it for a number: -1 // 2 is -1 and -1 % 2 is 1, the last place of
# the last block. **Oracle.** No place changes that the batch does not name.

# %% tags=["core", "stable", "incident:OFF-02"]
def harmed(mapping, skip=False):
    cache, mapping = np.zeros((4, 2)), np.array(mapping)
    mapping = mapping[mapping >= 0] if skip else mapping
    cache[mapping // 2, mapping % 2] = 7.0
    named = {slot for slot in mapping.tolist() if slot >= 0}
    return any(cache[slot // 2, slot % 2] != 0 for slot in range(8) if slot not in named)

page("OFF-02", harmed([0, -1]), harmed([0, 3]), harmed([0, -1], skip=True))

# %% [markdown] tags=["core"]
# **Fix.** Filter first, compute after. **Where else?** Every `find()` that says -1, and every language in which -1 is a valid index.
# [The report](https://github.com/vllm-project/vllm/issues/43810). Told in unit 07.
#
# ### OFF-03 · Checked, changed, used
#
# **Symptom.** An index error, or a wrong slice, when a preempted sequence comes back under load. **Hurt:** the busiest servers.
# **Mechanism.** The scheduler computes how many tokens are to be run. Only then does the allocator find that eight of them are cached: the
# number that was checked has changed before it is used. **Oracle.** Start + scheduled = the length of the prompt.

# %% tags=["core", "stable", "incident:OFF-03"]
def planned(length, in_cache, look_first):
    start = in_cache if look_first else 0
    scheduled = length - start                         # the plan
    start = in_cache                                   # allocate() adopts what is there
    return start + scheduled

page("OFF-03", planned(10, 8, look_first=False) != 10, planned(10, 0, look_first=False) != 10,
     planned(10, 8, look_first=True) != 10)

# %% [markdown] tags=["core"]
# **Fix.** Ask for the hits first, then plan. **Where else?** `if os.path.exists(...)`, "is there stock?", each check whose answer may be old.
# [The report](https://github.com/GeeeekExplorer/nano-vllm/pull/211). Told in unit 08.
#
# ## A key
#
# ### KEY-01 · Two adapters, one answer
#
# **Symptom.** Answers mix two adapters when their prompts begin alike. **Hurt:** tenants with a fine-tuned model of their own.
# **Mechanism.** The cache's key covers the tokens. But keys and values depend on the adapter, too. **Oracle.** A hit must equal what
# would be computed, for *every* factor; and the same content must still hit.

# %% tags=["core", "stable", "incident:KEY-01"]
def cached(requests, factors):
    """Answer through a cache whose key has these factors; return what each got, and how many hit."""
    cache, got, hits = {}, [], 0
    for request in requests:
        key = tuple(request.get(factor) for factor in factors)
        hits += key in cache
        got.append(cache.setdefault(key, request))     # stands for the K and V of this request
    return got, hits

def polluted(requests, factors):
    return cached(requests, factors)[0] != list(requests)

law, chef = ({"tokens": (1, 2, 3), "adapter": name} for name in ("law", "chef"))
page("KEY-01", polluted([law, chef], ["tokens"]), polluted([law, law], ["tokens"]),
     polluted([law, chef], ["tokens", "adapter"]) or cached([law, law], ["tokens", "adapter"])[1] != 1)

# %% [markdown] tags=["core"]
# **Fix.** Everything that the value depends on is in the key, with a tag that says what it is. **Where else?** Web caches without `Vary`, compiled
# code without its flags, `lru_cache` on a method. [The report](https://github.com/vllm-project/vllm/issues/3264). Told in unit 08.
#
# ### KEY-02 · The other picture
#
# **Symptom.** A second question about a picture is answered about the first one. **Hurt:** users of a model that sees. **Mechanism.** Every picture
# is the same placeholder token. A key of tokens cannot tell them apart. **Oracle.** As above, in pairs: other content, no hit;
# the same content, a hit.

# %% tags=["core", "stable", "incident:KEY-02"]
cat, dog = ({"tokens": (1, 2, "IMG", "IMG", 9), "picture": name} for name in ("cat", "dog"))
page("KEY-02", polluted([cat, dog], ["tokens"]), polluted([cat, cat], ["tokens"]),
     polluted([cat, dog], ["tokens", "picture"]) or cached([cat, cat], ["tokens", "picture"])[1] != 1)

# %% [markdown] tags=["core"]
# **Fix.** A digest of the picture's content, and its place, in the key of each block from there on. **Where else?** File names without a content
# hash, "same size and date, so it is the same file". [The report](https://github.com/sgl-project/sglang-omni/issues/258). Told in unit 08.
#
# ### KEY-03 · A prompt made to measure
#
# **Symptom.** A prompt can be crafted so that it reuses another's cache (CVE-2025-25183). **Hurt:** nobody that we know of; it was found in
# time. **Mechanism.** The hash was public, with a root that is the same in every process. So a collision can be searched at home.
# **Oracle.** On a hit, the stored tokens are the prompt's tokens. (Sixteen bits stand for the hash here, so that the search is short.)

# %% tags=["core", "stable", "incident:KEY-03"]
def short_hash(tokens, root):
    return zlib.crc32(repr((root, tokens)).encode()) & 0xFFFF

victim = (1, 2, 3, 4)

def crafted(root="None"):
    """Search at home for another block with the victim's hash."""
    wanted = short_hash(victim, root)
    return next((5, n, 6, 7) for n in range(400_000) if short_hash((5, n, 6, 7), root) == wanted)

def hit(root, attack, verify=False):
    equal = short_hash(attack, root) == short_hash(victim, root)
    return equal and (attack == victim or not verify)

attack = crafted()
page("KEY-03", hit("None", attack), hit("a secret root", attack), hit("None", attack, verify=True))

# %% [markdown] tags=["core"]
# **Fix.** Verify each hit, or use a digest that resists collisions, with a secret root. **Where else?** Hash tables fed by strangers, short
# cache keys, "the checksum is equal". [The report](https://github.com/vllm-project/vllm/pull/12621). Told in unit 08.
#
# ## A beam
#
# ### COW-01 · And who takes the new rows?
#
# **Symptom.** Beam search gets worse. No error. **Hurt:** translations, quietly. **Mechanism.** A helper returns the states in their new
# order. The caller drops what it returns, so each beam keeps its old past. **Oracle.** Beam i holds what its parent held. (A sum of
# all states does not see it: it is the same in any order.)

# %% tags=["core", "stable", "incident:COW-01"]
def reorder(state, parents):
    return [list(state[parent]) for parent in parents]

def step(state, parents, take):
    moved = reorder(state, parents)
    return moved if take else state

def past_is_wrong(parents, take):
    state = [["a"], ["b"], ["c"]]
    return step(state, parents, take) != [state[parent] for parent in parents]

page("COW-01", past_is_wrong([2, 0, 0], take=False), past_is_wrong([0, 1, 2], take=False),
     past_is_wrong([2, 0, 0], take=True))

# %% [markdown] tags=["core"]
# **Fix.** Take what is returned. **Where else?** `text.replace(...)` on a line of its own, `sorted(rows)`, `frame.drop(...)`.
# [The report](https://github.com/awslabs/sockeye/pull/731). Told in unit 08.
#
# ### COW-02 · The state with another name
#
# **Symptom.** Beam search with recurrent models is wrong, silently. **Hurt:** users of some models only. **Mechanism.** Only the cache under *one*
# argument name is reordered. Models that call theirs something else are passed over by an `is not None`. **Oracle.** Every entry that
# holds state follows the parents.

# %% tags=["core", "stable", "incident:COW-02"]
def one_name(kept, parents):
    if kept.get("past_key_values") is not None:
        kept = {**kept, "past_key_values": reorder(kept["past_key_values"], parents)}
    return kept

def every_name(kept, parents):
    return {name: reorder(state, parents) for name, state in kept.items()}

def left_behind(name, move):
    state = [["a"], ["b"], ["c"]]
    return move({name: state}, [2, 0, 0])[name] != reorder(state, [2, 0, 0])

page("COW-02", left_behind("cache_params", one_name), left_behind("past_key_values", one_name),
     left_behind("cache_params", every_name))

# %% [markdown] tags=["core"]
# **Fix.** Go through all entries; better, let the state itself say how it is reordered. **Where else?** A backup with a list of tables, a
# `__copy__` with a list of fields, a log-out that clears one of three cookies.
# [The report](https://github.com/huggingface/transformers/issues/46612). Told in unit 08.
#
# ## State that outlives a call
#
# Most of the 22 needed two requests *at the same time*. The next kind needs no thread, no batch and no load. A first call comes, and
# is over. It leaves something behind, in a place that lives longer than a call: a module, a singleton, a thread, the process. The
# second call finds it.
#
# So the oracle is another one, and a simple one: **ask a second call alone, in a fresh process, and ask it again after a first call. The
# answer must be the same.** In `second_call(make, first, second)`, `make()` stands for a fresh process.
#
# ### A module's global, in a warm function
#
# A serverless function is started once, *cold*, and then serves many requests, *warm*. What it keeps in its module stays warm, too.

# %% tags=["core", "fault:outlives-global", "fix:outlives-global"]
SESSION = {}                               # the module's: it lives as long as the process

def handler(event):
    SESSION.update(event)
    return f"Hello, {SESSION.get('user', 'stranger')}"

def cold_start():
    SESSION.clear()                        # a new process, with an empty module
    return handler

def cold_start_mended():
    return lambda event: f"Hello, {dict(event).get('user', 'stranger')}"

# %% tags=["core"]
predict("11.warm", "Ann says her name, then somebody says none. What does the second one read?", {
    "a": "Hello, stranger", "b": "Hello, Ann", "c": "It depends on how fast they come"})

# %% tags=["core", "stable"]
seen = second_call(cold_start, {"user": "Ann"}, {})
print(seen, second_call(cold_start_mended, {"user": "Ann"}, {}), sep="\n")
reveal("11.warm", truth="b", measured=seen.after, because={
    "a": "So it is in every test: each test starts cold.",
    "c": "No clock is in it. A day may pass between the two calls."})

# %% [markdown] tags=["core"]
# ### A singleton that keeps the request
#
# "The language stays, if none is given." Whose language?

# %% tags=["core", "fault:outlives-singleton", "fix:outlives-singleton"]
class Translator:                          # made once for the whole program
    def __init__(self):
        self.language = "en"

    def answer(self, call):
        self.language = call.get("language", self.language)
        return f"{call['text']} [{self.language}]"

class PlainTranslator(Translator):
    def answer(self, call):
        return f"{call['text']} [{call.get('language', self.language)}]"     # self is never written

def singleton():
    return Translator().answer

def singleton_mended():
    return PlainTranslator().answer

# %% tags=["core", "stable"]
for make in (singleton, singleton_mended):
    print(second_call(make, {"text": "Guten Tag", "language": "de"}, {"text": "Good day"}))

# %% [markdown] tags=["core"]
# ### A context variable that is kept, and one that is lost
#
# A `ContextVar` belongs to a context. A task of an event loop has one of its own; a worker thread of a pool has *one*, for all its jobs. So what a
# job sets there stays for the next one. And what the caller has set does not arrive there at all. Both have one remedy: send a copy of
# the caller's context along with each job.

# %% tags=["core", "fault:outlives-context", "fix:outlives-context"]
USER = ContextVar("user", default=None)

def job(user):
    if user:
        USER.set(user)
    return USER.get()

def pooled():
    pool = ThreadPoolExecutor(1)
    return lambda user: pool.submit(job, user).result()

def pooled_mended():
    pool = ThreadPoolExecutor(1)
    return lambda user: pool.submit(copy_context().run, job, user).result()

# %% tags=["core", "stable"]
for make in (pooled, pooled_mended):
    print(second_call(make, "Ann", None))
caller, pool = copy_context(), ThreadPoolExecutor(1)
caller.run(USER.set, "Bob")
print("Bob's job alone finds:", caller.run(lambda: pool.submit(USER.get).result()),
      "  with his context:", caller.run(lambda: pool.submit(copy_context().run, USER.get).result()))

# %% [markdown] tags=["core"]
# ### An environment variable, read after its lock was released
#
# The author knew that the environment belongs to the whole process, and put a lock around the write. The read stands below it. And
# even inside, the value would stay.

# %% tags=["core", "fault:outlives-environment", "fix:outlives-environment"]
ZONE_LOCK = threading.Lock()

def zone(name):
    with ZONE_LOCK:
        if name:
            os.environ["SHOP_ZONE"] = name
    return "noon in " + os.environ.get("SHOP_ZONE", "UTC")       # the lock is free, the value stays

def zone_mended(name):
    return "noon in " + (name or "UTC")                          # an argument needs no lock

def clock():
    os.environ.pop("SHOP_ZONE", None)
    return zone

def clock_mended():
    return zone_mended

# %% tags=["core", "stable"]
for make in (clock, clock_mended):
    print(second_call(make, "Tokyo", None))

# %% [markdown] tags=["core"]
# ### Standard output, redirected for everybody
#
# `redirect_stdout` looks local: it is a `with`, and it ends. But `sys.stdout` is the process's. While Bob's report waits for its printer, everybody
# else's lines go into it.

# %% tags=["core", "fault:outlives-stdout", "fix:outlives-stdout"]
def report(name, redirect):
    sheet = io.StringIO()
    if redirect:
        with redirect_stdout(sheet):
            print("report for", name)
            yield sheet                    # the printer is slow: others go on
    else:
        print("report for", name, file=sheet)
        yield sheet

def office(redirect=True):
    sys.stdout, waiting = io.StringIO(), []              # a process, and its console
    console = sys.stdout
    def serve(call):
        name, wants_report = call
        if wants_report:
            waiting.append(report(name, redirect))
            next(waiting[-1])
        print("receipt for", name)
        return console.getvalue()
    return serve

def office_mended():
    return office(redirect=False)

# %% tags=["core", "stable"]
found = [second_call(make, ("Bob", True), ("Ann", False)) for make in (office, office_mended)]
print(*found, sep="\n")

# %% [markdown] tags=["core"]
# Alone, Ann's receipt is on the console. After Bob, in the mended office, his receipt is there as well, as it should be: `alone` and
# `after` differ, and it is not a leak! **The oracle needs an answer that belongs to the second call.** What must be there is Ann's own line:

# %% tags=["core", "setup"]
def receipts_of_ann(make):
    """The same office; the answer is what of the console is Ann's."""
    def made():
        serve = make()
        return lambda call: [line for line in serve(call).splitlines() if line.endswith("Ann")]
    return made

# %% tags=["core", "stable"]
for make in (office, office_mended):
    print(second_call(receipts_of_ann(make), ("Bob", True), ("Ann", False)))

# %% [markdown] tags=["core"]
# ### A seed for the whole process
#
# An experiment wants to be repeatable, and calls `random.seed`. From then on every "random" number of the process is known in advance, that of the
# voucher, too. (Vouchers belong to `secrets`; this one is test data.)

# %% tags=["core", "fault:outlives-seed", "fix:outlives-seed"]
def experiment():
    random.seed(7)                         # for me. And for everybody else
    return random.sample(range(100), 3)

def own_generator():
    return random.Random(7).sample(range(100), 3)

def laboratory(measure=experiment):
    random.seed(2026)                      # wherever this process's generator stands
    todo = {"experiment": measure, "voucher": lambda: random.getrandbits(32), "hello": lambda: "hello"}
    return lambda call: todo[call]()

def laboratory_mended():
    return laboratory(own_generator)

# %% tags=["core", "stable"]
for make in (laboratory, laboratory_mended):
    print(second_call(make, "experiment", "voucher"))

# %% [markdown] tags=["core"]
# ### One connection, and a task that is cancelled
#
# A booking is two lines and a commit. Bob's task is cancelled between them. His first line is still open in the connection, and the next commit
# is Ann's. It takes both.

# %% tags=["core", "fault:outlives-connection", "fix:outlives-connection"]
class Ledger:
    def __init__(self):
        self.open, self.stored = [], []

    def book(self, name):
        self.open.append(f"{name} pays")
        yield                              # waits for the bank: here a task can be cancelled
        self.open.append(f"{name} gets")
        self.stored, self.open = self.stored + self.open, []

class RollsBack(Ledger):
    def book(self, name):
        try:
            yield from super().book(name)
        finally:
            self.open = []                 # after a commit there is nothing to undo

# %% tags=["core", "fault:outlives-connection", "fix:outlives-connection"]
def shop(kind=Ledger):
    ledger = kind()
    def serve(call):
        name, cancelled = call
        task = ledger.book(name)
        next(task)
        before = len(ledger.stored)
        task.close() if cancelled else next(task, None)
        return ledger.stored[before:]      # what this call has committed
    return serve

def shop_mended():
    return shop(RollsBack)

# %% tags=["core", "stable"]
for make in (shop, shop_mended):
    print(second_call(make, ("Bob", True), ("Ann", False)))

# %% [markdown] tags=["core"]
# All seven, in one picture. In each of them the first call was over, or waiting for something else, when the second one came.

# %% tags=["core", "stable"]
ann, bob = {"text": "Good day"}, {"text": "Guten Tag", "language": "de"}
SEVEN = {
    "module's global": (cold_start, cold_start_mended, {"user": "Ann"}, {}),
    "singleton": (singleton, singleton_mended, bob, ann),
    "context variable": (pooled, pooled_mended, "Ann", None),
    "environment": (clock, clock_mended, "Tokyo", None),
    "standard output": (*map(receipts_of_ann, (office, office_mended)), ("Bob", True), ("Ann", False)),
    "seed": (laboratory, laboratory_mended, "experiment", "voucher"),
    "connection": (shop, shop_mended, ("Bob", True), ("Ann", False)),
}
asked = {kept: {"as it was": second_call(broken, *calls), "mended": second_call(right, *calls)}
         for kept, (broken, right, *calls) in SEVEN.items()}
figures.second_calls(asked, "A second call finds what the first one left, seven times")

# %% [markdown] tags=["core"]
# *A row for each place where something stayed. In the left column the second call's answer shows the first one.*
#
# Seven places, and one question to ask in a review: **how long does this live, and whose is it meanwhile?** Where the first answer is
# "longer than a call", the second must not be "the call's".
#
# **Change one line and run again:** let the first call of "environment" be `None`. Why is the oracle quiet now? What does that say about the pairs
# that you choose?
#
# ## Two libraries, as they are installed here
#
# ### The output widget of this very notebook
#
# `ipywidgets` has an output area with `append_stdout(text)`. Its documentation says that it is meant for background threads. Its whole body is
# `self.outputs += (…)`: read a tuple, make a longer one, write it back. You know this shape since unit 01.

# %% tags=["core"]
predict("11.append", "Ann and Bob append a line each, at the same moment. How many can be missing?", {
    "a": "None: += on a tuple is atomic", "b": "One", "c": "Two"})

# %% tags=["core", "fault:append-stdout", "fix:append-stdout"]
def widget(call, after=lambda area, texts: None):
    """Two threads at one output area of ipywidgets; both lines must be there in the end."""
    def never(area, texts):
        after(area, texts)
        return len(area.outputs) != 2
    calls = {name: lambda area, name=name: call(area, name) for name in ("ann", "bob")}
    return Scenario(Output, calls, never=never, follow=["ipywidgets"])

def in_the_thread(area, name):
    area.append_stdout(f"{name}'s line")

def returned(area, name):
    return f"{name}'s line"                # a worker returns data …

def drawn_here(area, texts):
    for text in texts.values():            # … and one thread draws
        area.append_stdout(text)

# %% tags=["core", "measured"]
trace = widget(in_the_thread).play(["ann", "bob*", "ann*"])
display(figures.interleaving(trace, "Both read the empty area, and Bob's line is written over"))
display(figures.caption("Ann reads. Bob reads and writes. Ann writes what she read, and her own line."))
reveal("11.append", truth="b", measured="one line of two is there", because={
    "a": "The tuple cannot change. The attribute that holds it can, in between.",
    "c": "The last writer's own line is always there."})
print("drawn by one thread:", widget(returned, drawn_here).explore().verdict)

# %% [markdown] tags=["core"]
# The order was forced, in the library's own code: only the switch was chosen. How often it happens by itself depends on the machine, and we
# do not count. It is the reason why no panel of this course prints in a thread.
#
# ### A cache object, handed to two requests
#
# `DynamicCache` of `transformers` is a growing cache. `update` appends to the object that you hand in. If two requests get the same
# object (say, as a default that was made once, or a "prefix" that is computed once and kept), then the second one continues the first
# one's text. Small numbers stand for keys, as in unit 06: Ann writes 10 and 11, Bob writes 20.

# %% tags=["core", "setup"]
def library():
    """The cache class of transformers, or None where the extra "peers" is not installed."""
    try:
        from transformers import DynamicCache
    except ImportError:
        return None
    return DynamicCache

def keys_read(cache, *numbers):
    """Append keys (and equal values) to layer 0; return all keys that the request's attention reads."""
    rows = torch.tensor(numbers, dtype=torch.float32).reshape(1, 1, -1, 1)
    return [round(one) for one in cache.update(rows, rows, 0)[0].flatten().tolist()]

# %% tags=["core", "measured"]
kind = library()
if kind is None:
    print('transformers is not installed (the extra "peers"). Here it would show that Bob reads')
    print("[10, 11, 20] from the cache that Ann has used, and [20] from one of his own:")
    print("`update` changes the object in place.")
else:
    def one_cache(make=kind):
        cache = make()
        return lambda numbers: keys_read(cache, *numbers)
    print("one object for two:", second_call(one_cache, (10, 11), (20,)))
    def own_cache():
        return lambda numbers: keys_read(kind(), *numbers)
    print("one for each:      ", second_call(own_cache, (10, 11), (20,)))

# %% tags=["core", "stable"]
ANN, BOB = [Place("Ann", "10", read=True), Place("Ann", "11", read=True)], Place("Bob", "20")
pools = {"one object for two requests": [[*ANN, BOB]], "an object for each": [[BOB]]}
title = "Handed on, a cache carries the first request's text"
display(figures.memory_map(pools, title, reader="Bob", word="cache"))

# %% [markdown] tags=["core"]
# *The keys that Bob's token reads. Above, two of three are Ann's, in the colour of a leak.*
#
# The library is not at fault: an object that is changed in place belongs to **whoever holds it**. The bug is in the line that hands it to two.
# A prefix that is shared on purpose must be copied before the first write (unit 08).
#
# **Change one line and run again:** hand a `copy.deepcopy` of Ann's cache to Bob. Which of the two pictures is it now, and when would that be
# exactly what you want?
#
# ## The line, in the wild
#
# | must be shared | must be isolated | the remedy that was taken |
# |---|---|---|
# | the pool of connections | a reply, a transaction | drop what is not clean |
# | the object of a framework | what a request puts on it | a local variable |
# | the process | its environment, streams, generator, while a call runs | arguments instead of settings |
# | weights, and blocks that are full | slots, tables, keys, the beam's past | own them, name them, copy before writing |
#
# The three questions again. *Can the state be split finer?* In all 22 it could: a connection for each reply, a generator for each request, a key for
# each picture. *How is it put together again?* By returning something, and by a name that says whose it is. *Does that cost less than it gains?* Most of
# these fixes are one line. The work is to find the line.
#
# ## Check yourself
#
# <details><summary>A test suite is green, and every test starts a fresh process. Which kind of bug can it not see?</summary>State that outlives a
# call. Ask the second call, after a first.</details>
# <details><summary>A reply came too late and was dropped. Is the connection clean?</summary>Only if it was read, or if the connection was
# closed.</details>
# <details><summary>Which of the 22 is not a leak?</summary>INV-01: it is rounding. The neighbour's shape matters, and its content does not.</details>
# <details><summary>A fix makes the cache miss more often. How do you know that it still works at all?</summary>By the pair: other content must
# miss, and the same content must still hit.</details>
#
# ## The door to the lab
#
# The next cell makes your own copy of the lab; it never overwrites one that is there.

# %% tags=["core"]
workspace.door("11")
