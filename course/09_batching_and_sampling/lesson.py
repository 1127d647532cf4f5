# %% [markdown] tags=["core"]
# # 09 · Batching and sampling
#
# *60 minutes, then lab 09.*
#
# A minibus waits at the station. It leaves when four people have got in, and it comes back when the last one has got out. Somebody who
# wanted to ride one stop sits in it until the terminus. Next to it runs a paternoster, a lift that never stops: one steps out, the next
# steps in.
#
# A **batch** of requests is such a vehicle. Units 07 and 08 kept requests apart in memory. Now they share something else: **time**, the
# numbers that choose their tokens, and the additions inside one big matrix product. *Who waits for whom? And whose dice are these?*
#
# ## Who holds whom

# %% tags=["core", "setup"]
import numpy as np
import torch
from sharedstate import figures
from sharedstate.kvcache.verdicts import verdict
from sharedstate.model import GPT, GPTConfig
from sharedstate.panels import predict, reveal
from sharedstate.serving import (
    Engine, Limits, NotInvariant, PagedStore, Request, Runner, Sampling, Scheduler,
    draw, generator_of, hit_rate, summary)

torch.set_num_threads(1)
model = GPT(GPTConfig(vocab_size=61, num_heads=4, num_kv_heads=2, max_len=512), seed=3)

def prompt(seed, length=6):
    return np.random.default_rng(seed).integers(0, 61, length).tolist()

def served(engine, *requests):
    """Everybody's tokens, {id: tokens}."""
    for request in requests:
        engine.add(request)
    return {name: result.tokens for name, result in engine.run().items()}

# %% [markdown] tags=["core"]
# `Engine` is a whole serving engine, and you can read it in an evening. `add` takes a request, `step` computes one token for everybody
# who runs, `run` steps until all have ended. Four places, answers of 4, 4, 4 and 100 tokens.
#
# > **A popular text says:** "Short sequences hold up the long ones."

# %% tags=["core"]
predict("09.hold", "Four more of 4 tokens wait. After how many steps does the first begin?", {
    "a": "4: three places are free then", "b": "100: when the longest is done",
    "c": "It depends on the engine"})

# %% tags=["core", "stable", "claim:55"]
class Watched(Scheduler):
    def schedule(self):
        spans = super().schedule()
        here = [live.request.id if live else None for live in self.store.rows]
        self.seen = [*getattr(self, "seen", []), *([here] if spans else [])]
        return spans

def lanes(static):
    engine = Engine(model, Limits(max_batch=4), static=static, scheduler=Watched)
    answers = zip("abcdefgh", [4, 4, 4, 100, 4, 4, 4, 4])
    served(engine, *(Request(name, prompt(n), new) for n, (name, new) in enumerate(answers)))
    return list(zip(*engine.scheduler.seen))               # [place][step]

# %% tags=["core", "stable"]
closed, opened = lanes(static=True), lanes(static=False)
display(figures.lanes(closed, "A closed batch: three places wait for d"))
display(figures.lanes([line[:12] for line in opened], "An open one: who leaves makes room at once"))
begins = {name: min(line.index("e") for line in found if "e" in line)
          for name, found in {"static": closed, "continuous": opened}.items()}
reveal("09.hold", truth="c", measured=str(begins), because={
    "a": "Only if somebody may get in while the bus is under way.",
    "b": "Only if the batch is closed until it is empty."})

# %% [markdown] tags=["core"]
# *Each line is a place in the batch, each colour a request; hatched, nobody is served. Below, the first twelve steps.*
#
# **Verdict: false, it is the other way round.** The long one holds the short ones: three places stand empty for 96 steps. In *continuous
# batching* a finished request leaves at once, and the next one takes its place in the very next step.
#
# > **A popular text says:** "Dynamic batching beats static batching."

# %% tags=["core"]
predict("09.skew", "All answers have the same length. How much faster is continuous batching?", {
    "a": "About twice", "b": "Not at all", "c": "It is slower"})

# %% tags=["core", "stable", "claim:54"]
def steps(lengths, batch, **options):
    engine = Engine(model, Limits(max_batch=batch), prefix=False, **options)
    served(engine, *(Request(f"r{n}", prompt(n), int(new)) for n, new in enumerate(lengths)))
    return engine.metrics.steps

dice = np.random.default_rng(0)
mixes = {"equal": np.full(32, 20), "uniform": dice.integers(1, 40, 32),
         "geometric": np.clip(dice.geometric(1 / 20, 32), 1, 120),
         "90 to 10": np.where(dice.random(32) < 0.1, 120, 8)}
gain = {name: {batch: steps(lengths, batch, static=True) / steps(lengths, batch) for batch in (4, 8, 16)}
        for name, lengths in mixes.items()}
title = "The more unequal the answers, the more is gained"
display(figures.growth(gain, title, "batch size", "steps, static ÷ continuous", doubling=True))
longest = steps(mixes["geometric"], 8, static=True) / steps(mixes["geometric"], 8, order="longest")
print(f"geometric, batch 8: {gain['geometric'][8]:.2f} in order of arrival, {longest:.2f} longest first")
reveal("09.skew", truth="b", measured="equal lengths: the same number of steps", because={
    "a": "There is nothing to fill: all leave together.", "c": "The same steps, one after the other."})

# %% [markdown] tags=["core"]
# *Each curve is a mix of 32 answers: how many times fewer steps continuous batching needs. Equal lengths stay at 1.*
#
# **Verdict: it depends on the skew.** With equal lengths there is nothing to gain. The more unequal they are, the more places a static
# batch leaves empty. What must hold is only that *nobody starves*: longest first is a little faster, and somebody short could wait for
# ever. So `Scheduler` lets nobody be overtaken more than a fixed number of times.
#
# **Change one line and run again:** sort the lengths of `geometric` before they are served. Why does static batching catch up?
#
# ## Nothing lost
#
# Blocks can run out in the middle. Then the newest request is **preempted**: its blocks are taken, it goes back to the head of the queue,
# and is computed again later. It must end as if nothing had been. Two mistakes are popular.

# %% tags=["core", "fault:lost-on-preempt", "fault:blocks-not-returned"]
class ForgetsPreempted(Scheduler):
    def preempt(self, live):
        self.store.leave(live)                 # its blocks are free. And who remembers the request?

class KeepsBlocks(PagedStore):
    def leave(self, live):
        if live.ending and live.ending[0] == "cancelled":
            live.table = None                  # the client has gone, what is there to do
        super().leave(live)

# %% tags=["core", "stable"]
def squeezed(**options):
    """Seven requests in a pool for three; one is cancelled. How many end, what is still in use?"""
    engine = Engine(model, Limits(max_batch=6, num_blocks=9), prefix=False, **options)
    for n in range(7):
        engine.add(Request(f"r{n}", prompt(n, 20), 30))
    for count in range(300):
        engine.step()
        if count == 20:
            engine.cancel("r0")
    ended = engine.results()
    return len(ended), sum(r.preemptions for r in ended.values()), engine.store.pool.usage

for parts in ({}, {"scheduler": ForgetsPreempted}, {"store": KeepsBlocks}):
    names = [part.__name__ for part in parts.values()] or ["right"]
    print(*names, "| ended, preemptions, pool in use:", squeezed(**parts))

# %% [markdown] tags=["core"]
# Seven requests went in. A request that is in no list is not an error message, it is silence. The habit that finds it is an **invariant**:
# every request ends exactly once, and an idle engine has all of its blocks.
#
# The right engine has no case for "was preempted" at all. It keeps the tokens of a request and a number, `num_computed`: how many of them have keys and
# values. To preempt is to set it to 0. To be interrupted is to leave it as it is.
#
# ## Whose answer is it?
#
# A step sorts its rows by length, because rows that are read together should be alike. The logits come back in *that* order.

# %% tags=["core", "fault:mixed-by-place"]
class ByPlace(Engine):
    def choose(self, logits, rows):
        tokens = super().choose(logits, rows)
        by_arrival = sorted(range(len(rows)), key=lambda n: rows[n].epoch)
        return [tokens[n] for n in by_arrival]             # "the first answer is the first request's"

# %% tags=["core", "stable"]
two = Request("ann", prompt(1, 9), 4), Request("bob", prompt(2, 3), 4)
for engine in (Engine, ByPlace):
    print(f"{engine.__name__:8}", served(engine(model), *two))

# %% [markdown] tags=["core"]
# Ann's prompt is longer than Bob's, so she stands behind him. With prompts in order of length nothing shows: this bug waits for the
# first long prompt in front. An explicit map asks; a counted place guesses (unit 07).
#
# ## Whose dice are these?
#
# So far the best token was taken. With a *temperature* tokens are drawn. A number between 0 and 1 decides, and a generator makes it.
#
# > **A popular text says:** "A generator for each request makes inference reproducible."

# %% tags=["core", "fault:shared-sampling-rng", "fault:SAMP-01", "fault:SAMP-02"]
class SharedGenerator(Engine):                             # SAMP-01, found in a popular server
    def choose(self, logits, rows):
        self.dice = getattr(self, "dice", None) or np.random.default_rng(0)
        in_turn = sorted(rows, key=lambda live: live.epoch)
        numbers = {live.request.id: self.dice.random() for live in in_turn}
        ways = [live.request.sampling for live in rows]
        return draw(logits, ways, [numbers[live.request.id] for live in rows])

class Rebuilt(Engine):                                     # SAMP-02: made from the seed for each token
    def choose(self, logits, rows):
        numbers = [generator_of(live.request).random() for live in rows]
        return draw(logits, [live.request.sampling for live in rows], numbers)

# %% tags=["core"]
predict("09.dice", "One generator for all. From which token on does a neighbour change Ann's text?", {
    "a": "The first", "b": "The second", "c": "It does not: her seed is the same"})

# %% tags=["core", "stable", "claim:26"]
def differs(engine, seed):
    """At which token does Ann's text differ when Bob is there? None for never."""
    ann = Request("ann", prompt(seed), 12, Sampling(1.0))
    alone = served(engine(model, deterministic=True), ann)["ann"]
    bob = Request("bob", prompt(seed + 50), 12, Sampling(1.0))
    beside = served(engine(model, deterministic=True), ann, bob)["ann"]
    return next((n + 1 for n, pair in enumerate(zip(alone, beside)) if pair[0] != pair[1]), None)

for engine in (SharedGenerator, Engine):
    print(f"{engine.__name__:16}", [differs(engine, seed) for seed in range(8)])
reveal("09.dice", truth="b", measured="2 or soon after, for every prompt", because={
    "a": "Ann came first, and takes the first number as before.",
    "c": "The seed is the same. The *place in the stream* is not."})

# %% [markdown] tags=["core"]
# **Verdict: true, under conditions.** Each request needs a stream of its own (unit 03). And the stream's key is a hash of what the request *is*: its id or
# the user's seed, and which of several samples this is. Give everybody seed 0, and two samples of one prompt are the same text.
#
# SAMP-02 is the other extreme: the generator is private, and made anew for each token. Its first number comes again and again.

# %% tags=["core", "stable"]
request = Request("ann", prompt(1), 6, Sampling(1.0))
kept = generator_of(request).random(6)
again = np.array([generator_of(request).random() for _ in range(6)])
print("kept:   ", kept.round(3), "\nrebuilt:", again.round(3))

# %% [markdown] tags=["core"]
# *temperature* divides the logits: below 1 the likely tokens get likelier. *top_k* keeps the k best, *top_p* the fewest that have the
# share p together. One more bug lives here, and it needs no generator. To cut, one sorts. So the whole batch is sorted, if anybody cuts.

# %% tags=["core", "fault:order-by-neighbour"]
class SortsForAll(Engine):
    def choose(self, logits, rows):
        ways = [live.request.sampling for live in rows]
        numbers = [live.uniforms[live.num_answered] for live in rows]
        if not any(way.top_k for way in ways):
            return draw(logits, ways, numbers)
        best, order = logits.sort(-1, descending=True)     # a neighbour's wish, and everybody's order
        return order.gather(1, torch.tensor(draw(best, ways, numbers))[:, None])[:, 0].tolist()

# %% tags=["core", "stable"]
ann = Request("ann", prompt(1), 8, Sampling(1.0))
bob = Request("bob", prompt(2), 8, Sampling(1.0, top_k=5))
for engine in (SortsForAll, Engine):
    print(engine.__name__, "alone ", served(engine(model), ann)["ann"])
    print(engine.__name__, "beside", served(engine(model), ann, bob)["ann"])

# %% [markdown] tags=["core"]
# The distribution is right, the generator private, the seed the same: and still the neighbour changes Ann's text. Her number now falls
# on another token, because the tokens stand in another order. No test of the distribution sees this.
#
# **Change one line and run again:** give Ann `top_k=61` herself. Why is she safe from Bob now?
#
# ## Rounding is not a leak
#
# Private memory, private dice. Are the *bits* private too? Add the same 4,096 numbers, in pieces.

# %% tags=["core", "fault:INV-01", "fix:INV-01"]
def total(numbers, chunk):
    """The sum of a vector, piece by piece."""
    parts = [part.sum() for part in numbers.split(chunk)]
    return torch.stack(parts).sum()

def total_by_rows(batch):                      # INV-01: the pieces depend on who else is there
    return torch.stack([total(row, 4096 // len(batch)) for row in batch])

def total_fixed(batch):
    return torch.stack([total(row, 64) for row in batch])

# %% tags=["core", "measured"]
numbers = torch.randn(4096, generator=torch.Generator().manual_seed(0))
for chunk in (1, 16, 64, 4096):
    print(f"pieces of {chunk:4}: {total(numbers, chunk).item():.9f}")

# %% tags=["core"]
predict("09.bits", "Alone, and in a batch. Nothing leaks. Are the logits equal, bit by bit?", {
    "a": "Yes: nothing of the others is added", "b": "Not always: the order of additions may change"})

# %% tags=["core", "measured"]
class Remembers(Runner):
    def forward(self, spans):
        logits, rows = super().forward(spans)
        names = [(live.request.id, live.num_answered) for live in rows]
        self.seen = getattr(self, "seen", {}) | dict(zip(names, logits))
        return logits, rows

def apart(**options):
    """The largest difference of anybody's logits, alone and together."""
    requests, seen = [Request(f"r{n}", prompt(n, 5 + 9 * n), 4) for n in range(8)], []
    for alone in (True, False):
        engine = Engine(model, runner=Remembers, **options)
        for request in requests:
            engine.add(request)
            if alone:
                engine.run()
        engine.run(), seen.append(engine.runner.seen)
    return max((seen[0][key] - seen[1][key]).abs().max().item() for key in seen[0])

print(f"plain {apart():.1e} · deterministic {apart(deterministic=True):.1e}")
reveal("09.bits", truth="b", measured=f"apart by {apart():.1e}; deterministic: 0", because={
    "a": "Nothing is added. But products of 3 rows and of 16 may split their sums in different places."})

# %% [markdown] tags=["core"]
# Some millionths. That is **rounding**: no neighbour's data, only another order of the same additions. Isolation is *necessary* for equal
# bits, and not sufficient. Also wanted is **batch invariance**: the order of additions must not depend on the company.
#
# `deterministic=True` has it. The rows of each product are filled up to a multiple of four, and how many keys are read for a request
# follows from *its own* length. Whether that is enough is up to the matrix library, so the engine **measures the rules when it is
# made**, and refuses the mode where one does not hold:

# %% tags=["core", "stable"]
class SplitsByRows(Runner):
    def linear(self, x, weight):
        if len(x) > 8:
            return x @ weight
        half = x.shape[1] // 2
        return x[:, :half] @ weight[:half] + x[:, half:] @ weight[half:]

try:
    Engine(model, deterministic=True, runner=SplitsByRows)
except NotInvariant as refusal:
    print(str(refusal).split(" (")[0])

# %% [markdown] tags=["core"]
# In this mode **any** difference is a leak. Without it, you need a tolerance, and an answer to: is it rounding, or a leak? One oracle alone cannot tell.
# *Alone against batched* accuses both. Two precisions tell more: rounding shrinks with the precision, a leak does not.

# %% tags=["core", "measured"]
from sharedstate.kvcache import SlotEngine
from sharedstate.kvcache.workloads import Workload

class OtherOrder(SlotEngine):
    def read(self, layer, rows):
        keys, values = super().read(layer, rows)
        return keys.flip(2), values.flip(2)

    def mask(self, rows, layer):
        return super().mask(rows, layer).flip(3)           # the same sum, from behind

class OneColumnMore(SlotEngine):
    def valid_length(self, slot, layer):
        return min(self.cache.extent(slot, layer), super().valid_length(slot, layer) + 1)

work = Workload("add old; finish old; add a; add b; step a b", {"old": 9, "a": 5, "b": 4}, slots=2)
for engine in (OtherOrder, OneColumnMore):
    print(f"{engine.__name__:14} {verdict(engine, work)}")

# %% [markdown] tags=["core"]
# `verdict` asks three oracles. Alone against batched, in fp32 and fp64: what shrinks by nine orders of magnitude is rounding. The *neighbour's bits* and the *Jacobian*: does
# anything of the others arrive at all? Only if all are content, it is rounding.
#
# ## To the knee, and what it costs
#
# More requests in a batch share each pass through the weights. Until something else is full.
#
# > **A popular text says:** "Beyond the knee throughput falls."

# %% tags=["core"]
predict("09.knee", "The batch grows from 1 to 32. What do the tokens a second do?", {
    "a": "It grows in proportion", "b": "It grows, and levels off", "c": "It grows, and then falls"})

# %% tags=["core", "measured", "claim:56"]
def load_test(batch, requests=48):
    engine = Engine(model, Limits(max_batch=batch, num_blocks=65))
    for n in range(requests):
        engine.add(Request(f"r{n}", prompt(n, 24), 16))
    return summary(engine.run().values())

knee = {batch: load_test(batch) for batch in (1, 2, 4, 8, 16, 32)}
rate = {batch: found.throughput for batch, found in knee.items()}
pause = {batch: 1e3 * found.inter_token for batch, found in knee.items()}

# %% tags=["core", "measured"]
for points, title, unit in ((rate, "Throughput grows, and levels off", "tokens/s, all requests"),
                            (pause, "Each request waits longer for its token", "ms a token")):
    display(figures.growth({unit: points}, title, "batch size", unit, doubling=True))
said = ", ".join(f"{batch}: {each:.0f}" for batch, each in rate.items())
reveal("09.knee", truth="b", measured=said, because={
    "a": "From some size on the products themselves take time.",
    "c": "Preemption costs a little: a dent, not a fall."})

# %% [markdown] tags=["core"]
# *Above the tokens of all requests together, below the time between two tokens of one request.*
#
# **Verdict: it depends, and here it is a plateau.** What moves the knee is whatever is full first: the arithmetic, the bandwidth, or the
# blocks. Meanwhile the time *between* tokens grows from the first doubling on. So the batch size is a trade: throughput for the operator, latency for the
# user.
#
# **Change one line and run again:** give the engine `num_blocks=9`. Where is the knee now, and what is full?
#
# A prompt that begins like an earlier one needs less of all that (unit 08). What is spared is in proportion to the hit:

# %% tags=["core", "measured"]
def first_token(shared, total=256):
    """The mean time to first token for prompts of 256, `shared` of them seen before; the hit rate."""
    engine, common = Engine(model, Limits(max_batch=1)), prompt(0, shared)
    for n in range(9):
        engine.add(Request(f"r{n}", common + prompt(n + 1, total - shared), 1))
    found = [result for name, result in engine.run().items() if name != "r0"]
    return np.mean([r.token_times[0] - r.started for r in found]) * 1e3, hit_rate(engine.store)

for shared in (0, 64, 128, 192):
    after, hits = first_token(shared)
    print(f"{shared} of 256 shared: first token after {after:.1f} ms, hit rate {hits:.0%}")

# %% [markdown] tags=["core"]
# ## The line
#
# | must be shared | must be isolated |
# |---|---|
# | the weights, and each pass through them | the stream of random numbers: keyed by what the request is |
# | the places in the batch, from step to step | the order in which one row's tokens stand |
# | the queue, with a bound on overtaking | the number of keys that are read: from one's own length |
# | the pool, to the last block | the tokens and `num_computed`: all that is needed to begin again |
#
# *Can the state be split finer?* From a batch to a request, and from a request to a single step. *How is it put together again?* By name, after each
# step. *Does it cost less than it gains?* You have measured both.
#
# ## Check yourself
#
# <details><summary>Same seed, temperature 1, and the text changes under load. Name two causes that are no leak of data.</summary>A generator that others
# draw from, and an order of additions that follows the batch.</details>
# <details><summary>A test of the sampler's distribution is green. What may still depend on a neighbour?</summary>Which number falls on which token: the
# order in which they stand.</details>
# <details><summary>A request was preempted after 10 tokens. What must the engine remember of it?</summary>Its tokens, and how many were delivered. Keys, values and
# places can be computed again.</details>
