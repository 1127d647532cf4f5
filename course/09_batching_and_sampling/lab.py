# %% [markdown] tags=["core"]
# # Lab 09 · Batching and sampling
#
# *Seven exercises, about 82 minutes. In a 90-minute class, do the first and the third.*
#
# Write your answer where it says `# your code here`, and run the check below it. The servers here are small enough to read, and their
# tokens are small whole numbers. Don't change what you are given, unless the exercise says so. Each answer cell must stand on its own.
# The hints are folded, and the third one nearly gives it away. Your progress is kept in `my-labs/`.

# %% tags=["core", "setup"]
import hashlib
import random
import statistics
import threading

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
        before = best.cumsum(-1) - best                     # what the more likely ones have together
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

# %% [markdown] tags=["core"]
# ## 09.3 One step of a scheduler
#
# *14 minutes · difficulty 3 of 3 · 3 points*
#
# Write a class `Scheduler(places, patience)` for continuous batching. At most `places` requests run at the same time.
#
# * `add(name, tokens)`: a request comes to the end of the queue. It wants so many tokens, 1 or more
# * `step()` does three things, and returns the list of the names that got a token, in the order in which they were admitted:
#   1. **admit**: as long as a place is free and somebody waits, take the one that wants the fewest tokens; among equal ones, whoever came first
#   2. **decode**: everybody who runs gets one token
#   3. **finish**: whoever has all of its tokens leaves, and its place is free in the next step
# * nobody starves: whenever a request is admitted, everybody who came **before it** and still waits is overtaken once. Whoever has been overtaken `patience`
#   times is admitted before all the others; among several such, whoever came first
# * `cancel(name)`: the request is gone at once, from the queue or from its place; return True. False if no such request waits or runs
#
# Nobody has the name of another one who waits or runs. But a name may come back after its request has ended.
#
# Example: with `Scheduler(2, 9)`, a wants 1 token and b wants 2. Three steps give `["a", "b"]`, `["b"]` and `[]`.

# %% tags=["core", "exercise:09.3"]
class Scheduler:
    """add(name, tokens), step(), cancel(name)."""
    ### BEGIN SOLUTION

    def __init__(self, places, patience):
        self.places, self.patience = places, patience
        self.waiting, self.running = [], []         # [name, tokens left, times overtaken] each

    def add(self, name, tokens):
        self.waiting.append([name, tokens, 0])

    def step(self):
        while self.waiting and len(self.running) < self.places:
            self.admit()
        for request in self.running:
            request[1] -= 1
        served = [name for name, *_ in self.running]
        self.running = [request for request in self.running if request[1] > 0]
        return served

    def admit(self):
        urgent = [request for request in self.waiting if request[2] >= self.patience]
        new = urgent[0] if urgent else min(self.waiting, key=lambda request: request[1])
        place = self.waiting.index(new)
        for earlier in self.waiting[:place]:
            earlier[2] += 1
        self.running.append(self.waiting.pop(place))

    def cancel(self, name):
        for requests in (self.waiting, self.running):
            for request in requests:
                if request[0] == name:
                    requests.remove(request)
                    return True
        return False
    ### END SOLUTION

# %% tags=["core"]
check("09.3", Scheduler)

# %% [markdown] tags=["core", "hints:09.3"]
# <details><summary>Hint 1</summary>Two lists: those who wait, in the order in which they came, and those who run, in the order of their admission. How many tokens are left, and how often somebody was overtaken, belongs to the request.</details>
# <details><summary>Hint 2</summary>A method for one admission: first look for somebody without patience, else <code>min(self.waiting, key=…)</code>, which takes the first of equal ones. Those before the chosen place in the queue are overtaken.</details>
# <details><summary>Hint 3</summary>In <code>step</code>: admit while there is room, count one token for all, note the names, and then make a <em>new</em> list of those who still want some. Removing from a list while a loop walks over it skips every second one.</details>

# %% [markdown] tags=["core"]
# ## 09.4 Preempt without loss
#
# *12 minutes · difficulty 3 of 3 · 3 points*
#
# Below is a server. A request is a dict: `tokens` are the prompt and the answer so far, `computed` says how many of them have a key in the request's `blocks`, and
# `sent` how many tokens of the answer its client has got. `running` and `waiting` are lists of requests, **the oldest first**. Read `step`: it computes what is
# missing, whatever that is. Write `make_room(server, count)`, which changes the server:
#
# * it preempts running requests, the **newest** first, until at least `count` blocks are free, and not one more than it must. It returns True
# * the oldest running request is never preempted. If that does not give `count` blocks, return False, and **nothing has changed**
# * a preempted request waits before all who wait already; among several preempted ones, the older one comes first
# * it gives back its blocks with `server.drop(block)`. A block that others share stays in use until the last one drops it
# * later it is admitted again, and must end as if nothing had been: the same tokens, each delivered once
#
# Example: a, b and c run with 2 blocks each, all of their own, and 1 block is free. `make_room(server, 2)` preempts c: 3 blocks are free.

# %% tags=["core"]
class Server:
    """data[block][place] holds a key, ref_cnt[block] counts its users. Block 0 is nobody's."""

    def __init__(self, num_blocks, block_size):
        self.size, self.data = block_size, [[0] * block_size for _ in range(num_blocks)]
        self.ref_cnt, self.free = [0] * num_blocks, list(range(1, num_blocks))
        self.running, self.waiting = [], []

    def drop(self, block):
        self.ref_cnt[block] -= 1
        if self.ref_cnt[block] == 0:
            self.free.append(block)

    def step(self, request):
        tokens, blocks = request["tokens"], request["blocks"]
        for place in range(request["computed"], len(tokens)):           # what has no key yet
            if place == len(blocks) * self.size:
                blocks.append(self.free.pop(0))
                self.ref_cnt[blocks[-1]] = 1
            self.data[blocks[place // self.size]][place % self.size] = tokens[place]
            request["computed"] += 1
        keys = [self.data[blocks[p // self.size]][p % self.size] for p in range(len(tokens))]
        tokens.append(sum(place * key for place, key in enumerate(keys, 3)) % 97)
        answer = tokens[request["prompt_length"]:]
        request["client"] += answer[request["sent"]:]
        request["sent"] = len(answer)

# %% tags=["core", "exercise:09.4"]
def make_room(server, count):
    """Preempt the newest requests until `count` blocks are free; return True, or False."""
    ### BEGIN SOLUTION
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:                   # the newest first, and never the oldest
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return True
    ### END SOLUTION

# %% tags=["core"]
check("09.4", make_room)

# %% [markdown] tags=["core", "hints:09.4"]
# <details><summary>Hint 1</summary>Two parts: find out whom it takes, on copies, and only then change anything. What must a request keep so that <code>step</code> can compute the rest again?</details>
# <details><summary>Hint 2</summary>Count on a copy of <code>ref_cnt</code>: a block becomes free when its count reaches 0, perhaps only with the second one that is preempted. A preempted request keeps its tokens and <code>sent</code>; it has no blocks, so <code>computed</code> is 0.</details>
# <details><summary>Hint 3</summary><code>server.running[:0:-1]</code> is all but the oldest, the newest first. Taken in this order, <code>server.waiting.insert(0, request)</code> leaves the older one in front.</details>

# %% [markdown] tags=["core"]
# ## 09.5 Rounding or leak?
#
# *12 minutes · difficulty 3 of 3 · 3 points*
#
# `server(texts, dtype)` serves a batch of texts (lists of tokens from 0 to 60) in `torch.float32` or `torch.float64`, and returns each one's logits, a list of
# tensors. Every call begins from nothing. Write the oracle `what_is_it(server, texts)`, which says in one word what company does to these texts:
#
# * `"leak"`: what the others contain arrives. All of the others' tokens are changed and their lengths kept, and one bit of a text's logits is another. Or a
#   text's logits alone and in the batch are further apart than rounding can bring them: more than 1e-4 in float32, or more than 1e-9 in float64. A NaN
#   that is not there alone is no rounding either
# * `"rounding"`: no leak, but a bit of somebody's logits, in one of the two precisions, is not the same alone and in the batch
# * `"same"`: neither
#
# Ask for **every** text, and in both precisions. Three servers to try it out are below: the first is `"same"`, the second `"rounding"`, the third a `"leak"`.

# %% tags=["core"]
class Toy:
    """toy(texts, dtype): the logits [8] of each text. This one serves each text for itself."""

    def __call__(self, texts, dtype):
        return [self.logits(place, texts, dtype) for place in range(len(texts))]

    def logits(self, place, texts, dtype):
        return self.add_up(self.vectors(texts[place], dtype))

    def vectors(self, text, dtype):
        table = torch.arange(61 * 8, dtype=torch.float64).view(61, 8) * 0.618 % 1
        weight = 1 / torch.arange(1.0, len(text) + 1, dtype=torch.float64)
        return table[text].to(dtype) * weight[:, None].to(dtype)                        # [tokens, 8]

    def add_up(self, vectors):
        total = torch.zeros_like(vectors[0])
        for vector in vectors:
            total = total + vector
        return total

class ByBatch(Toy):
    def logits(self, place, texts, dtype):
        vectors = self.vectors(texts[place], dtype)
        return self.add_up(vectors if len(texts) == 1 else vectors.flip(0))     # from the end

class Peeks(Toy):
    def logits(self, place, texts, dtype):
        mine, other = (self.vectors(texts[n], dtype) for n in (place, place - 1))
        return self.add_up(mine) + 0.01 * self.add_up(other)

# %% tags=["core", "exercise:09.5"]
def what_is_it(server, texts):
    """Return "same", "rounding" or "leak"."""
    ### BEGIN SOLUTION
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = (alone - together[place]).abs().max() <= most        # False for a NaN
            if not near or not torch.equal(moved, together[place]):
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word
    ### END SOLUTION

# %% tags=["core"]
tried = [[3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8]]
print([what_is_it(kind(), tried) for kind in (Toy, ByBatch, Peeks)])
check("09.5", what_is_it)

# %% [markdown] tags=["core", "hints:09.5"]
# <details><summary>Hint 1</summary>Three servings for each text and precision: all together, this text alone, and this text among others of the same lengths with other tokens.</details>
# <details><summary>Hint 2</summary>Together against other neighbours: <code>torch.equal</code>, no tolerance. Together against alone: first the tolerance, then <code>torch.equal</code>. Only when no text and no precision has shown a leak is it rounding.</details>
# <details><summary>Hint 3</summary><code>changed = [[(token + 1) % 61 for token in text] for text in texts]</code>, then <code>server([*changed[:place], text, *changed[place + 1:]], dtype)[place]</code>. Write <code>not difference &lt;= most</code>: a NaN is neither larger nor smaller.</details>

# %% [markdown] tags=["core"]
# ## 09.6 Ended exactly once
#
# *12 minutes · difficulty 2 of 3 · 3 points*
#
# A client cancels at the very moment at which the server finishes its request. `kind` is a class such as the two below: `kind()` makes a request that runs.
# `finish()` and `cancel()` each return True if *they* ended it, and False if they came too late. Write `ending_verdict(kind)`, which asks the explorer:
#
# * one thread calls `finish()` and another `cancel()`, on **one** request, in **every** order
# * exactly one of the two may end it: one True, one False. Never both, never neither
# * `status` is then the word of the one that ended it: `"done"` for `finish`, `"cancelled"` for `cancel`
# * its blocks were given back exactly once: `released` is 1
# * return the explorer's own word: `"proved"`, `"broken"` or `"deadlock"`
#
# Example: `ending_verdict(Looks)` is `"broken"`, `ending_verdict(Locks)` is `"proved"`. `Scenario(setup, threads, never)` is what lab 01 used:
# `threads` maps a name to a function of the state, and `never(state, answers)` says what must not be; `.explore()` has a `verdict`.

# %% tags=["core"]
class Looks:
    """A request that two threads may end. It looks, and then it acts."""

    def __init__(self):
        self.status, self.released = "running", 0

    def end(self, word):
        if self.status != "running":
            return False
        self.status = word
        self.released += 1
        return True

    def finish(self):
        return self.end("done")

    def cancel(self):
        return self.end("cancelled")

class Locks(Looks):
    """The same, one at a time."""

    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()

    def end(self, word):
        with self.lock:
            return super().end(word)

# %% tags=["core", "exercise:09.6"]
def ending_verdict(kind):
    """Return "proved", "broken" or "deadlock" for a class with finish() and cancel()."""
    ### BEGIN SOLUTION
    def wrong(request, answers):
        pair = answers["server"], answers["client"], request.status, request.released
        return pair not in [(True, False, "done", 1), (False, True, "cancelled", 1)]

    both = {"server": lambda request: request.finish(), "client": lambda request: request.cancel()}
    return Scenario(lambda: kind(), both, never=wrong).explore().verdict
    ### END SOLUTION

# %% tags=["core"]
print(ending_verdict(Looks), ending_verdict(Locks))
check("09.6", ending_verdict)

# %% [markdown] tags=["core", "hints:09.6"]
# <details><summary>Hint 1</summary><code>setup</code> makes a new request for every order: give it a function. <code>never</code> sees the request as it is in the end, and what each thread returned.</details>
# <details><summary>Hint 2</summary>There are two good endings, and only two. Write down all that belongs to each: both answers, the status, how often the blocks were given back. Whatever else comes out is wrong.</details>
# <details><summary>Hint 3</summary><code>never=lambda request, answers: (answers["server"], answers["client"], request.status, request.released) not in [(True, False, "done", 1), …]</code>, and at the end <code>.explore().verdict</code>.</details>

# %% [markdown] tags=["core"]
# ## 09.7 Read the knee
#
# *8 minutes · difficulty 2 of 3 · 2 points*
#
# Somebody has measured a server. `rows` is a list of `(batch, throughput, running, blocks)`, in any order: the limit on the batch, the tokens a second of all requests
# together, how many requests ran in a step on average, and how many of the server's `num_blocks` blocks were in use at most. Each batch size was
# measured several times. Return a tuple of the knee and what is full after it.
#
# * for each batch size, take the **median** of its throughputs and of its running, and the largest of its blocks
# * the **knee** is the smallest batch size such that no larger one gives more than 1.1 times its throughput. One larger size that gives no more
#   may be a dent: look at all of them
# * what is full is seen at the **next larger** batch size that was measured, which should have given more and did not:
#   * `"blocks"` if all blocks were in use there
#   * else `"load"` if fewer than 0.9 × batch requests ran there: too few came, and the measurement says nothing about more
#   * else `"machine"`: the arithmetic or the bandwidth
# * if the knee is the largest size that was measured: `"not reached"`
#
# Example: `read_knee([(1, 100, 1, 4), (2, 190, 2, 8), (4, 200, 4, 16)], 64)` is `(2, "machine")`.

# %% tags=["core", "exercise:09.7"]
def read_knee(rows, num_blocks):
    """Return (the knee, what is full after it)."""
    ### BEGIN SOLUTION
    sizes = sorted({batch for batch, *_ in rows})
    found = {}
    for size in sizes:
        _, rates, running, blocks = zip(*(row for row in rows if row[0] == size))
        found[size] = statistics.median(rates), statistics.median(running), max(blocks)
    for place, size in enumerate(sizes):
        larger = sizes[place + 1:]
        if not larger:
            return size, "not reached"
        if max(found[other][0] for other in larger) <= 1.1 * found[size][0]:
            _, running, blocks = found[larger[0]]
            if blocks >= num_blocks:
                return size, "blocks"
            return size, "load" if running < 0.9 * larger[0] else "machine"
    ### END SOLUTION

# %% tags=["core"]
check("09.7", read_knee)

# %% [markdown] tags=["core", "hints:09.7"]
# <details><summary>Hint 1</summary>First one line for each batch size, in order of size. Then go from the smallest size upwards.</details>
# <details><summary>Hint 2</summary>A size is the knee if the <em>best</em> of all larger ones stays within 1.1 times its throughput. What is full is read from the size after the knee, not from the knee.</details>
# <details><summary>Hint 3</summary><code>statistics.median</code> knows what to do with an even number of measurements. <code>max(found[other][0] for other in larger) &lt;= 1.1 * found[size][0]</code>; then ask for blocks, load and machine in this order.</details>

# %% [markdown] tags=["core"]
# ## What you take with you
#
# You can draw a token so that no neighbour has a say in it, give each request dice of its own, run a batch in which nobody starves, take blocks away without losing a
# word, tell rounding from a leak, prove that a request ends once, and read where a server is full. Unit 10 begins with a symptom and asks where it comes from.
