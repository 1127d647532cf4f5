# %% [markdown] tags=["core"]
# # 09 · Batching and sampling
#
# *60 minutes, then lab 09.*
#
# A tour coach leaves when its seats are taken. It comes back when the last guest has seen enough. Guests who wanted one short stop sit
# and wait. A city bus works in another way: at every stop somebody gets off, and somebody else takes the seat.
#
# A language-model server drives such a bus. The seats are a **batch**, a stop is one **step**, and a step gives every passenger one token.
# Units 07 and 08 kept requests apart in *memory*. Now they share three other things: time, the random numbers that choose their tokens, and
# the additions inside one large matrix product. *Who waits for whom? Whose random numbers, and whose rounding?*
#
# ## Static and continuous batching

# %% tags=["core", "setup"]
import time

import numpy as np
import torch
from sharedstate import figures, workspace
from sharedstate.devices import gpu_cell
from sharedstate.kvcache.verdicts import verdict
from sharedstate.kvcache.workloads import Workload
from sharedstate.model import GPT, GPTConfig
from sharedstate.panels import bits_panel, knee_panel, predict, reveal, seed_panel
from sharedstate.serving import (
    MIXES, Engine, Limits, NotInvariant, PagedStore, Request, Runner, Sampling, Scheduler, apart,
    counted, draw, generator_of, gpu_knee, hit_rate, judged, mix, probabilities, summary)
from sharedstate.wording import folded, pairs

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
# `Engine` is a whole serving engine, small enough to read in an evening. `add` takes a request. `step` gives one token to everybody who
# has a seat. `run` steps until all have ended. First the seats: four of them, and answers of 4, 4, 4 and 100 tokens. Four more requests wait.
#
# > **A popular text says:** "Short sequences hold up the long ones."

# %% tags=["core"]
predict("09.hold", "Four more of 4 tokens wait. After how many steps does the first begin?", {
    "a": "4: three seats are free then", "b": "100: when the longest is done",
    "c": "It depends on how the engine fills its seats"})

# %% tags=["core", "stable", "claim:55"]
class Watched(Scheduler):
    def schedule(self):
        spans = super().schedule()
        here = [live.request.id if live else None for live in self.store.rows]
        self.seen = [*getattr(self, "seen", []), *([here] if spans else [])]
        return spans

def lanes(lengths, **options):
    engine = Engine(model, scheduler=Watched, prefix=False, **options)
    requests = (Request(name, prompt(n), new) for n, (name, new) in enumerate(zip("abcdefgh", lengths)))
    served(engine, *requests)
    return list(zip(*engine.scheduler.seen))               # [seat][step]

four, lengths = Limits(max_batch=4), [4, 4, 4, 100, 4, 4, 4, 4]
closed, opened = lanes(lengths, limits=four, static=True), lanes(lengths, limits=four)

# %% tags=["core", "stable"]
figures.lanes(closed, "Static: three seats wait for d")

# %% [markdown] tags=["core"]
# *Each line is a seat, each colour a request. Hatched: nobody is served there. Now the same requests, and the first twelve steps of a city bus:*

# %% tags=["core", "handout", "stable"]
display(figures.lanes([line[:12] for line in opened], "Continuous: a free seat is taken at once"))
begins = {name: min(line.index("e") for line in found if "e" in line)
          for name, found in {"static": closed, "continuous": opened}.items()}
reveal("09.hold", truth="c", measured=f"steps before e begins: {pairs(begins)}", because={
    "a": "Only if somebody may get on while the bus is under way.",
    "b": "Only if nobody may get on before the bus is empty."})

# %% [markdown] tags=["core"]
# *Requests e, f and g begin at step 4, where a, b and c have left.*
#
# **Verdict: false, it is the other way round.** The long one holds up the short ones: three seats stay empty for 96 steps. The first way is
# called *static batching*, the second one *continuous* (or dynamic) *batching*.
#
# > **A popular text says:** "Dynamic batching beats static batching."
#
# To compare many batches, we count steps instead of seconds: `counted` runs the same scheduler, and leaves out the model.

# %% tags=["core"]
predict("09.skew", "All answers have the same length. How much faster is continuous batching?", {
    "a": "About twice", "b": "Not at all", "c": "It is slower"})

# %% tags=["core", "stable", "claim:54"]
def gain(lengths, batch, **options):
    """How many times the steps of continuous batching does static batching need?"""
    return counted(lengths, batch, static=True).steps / counted(lengths, batch, **options).steps

gains = {name: {batch: gain(mix(name, 96), batch) for batch in (4, 8, 16)} for name in MIXES}
title = "The more unequal the answers, the more is gained"
display(figures.growth(gains, title, "batch size", "steps, static ÷ continuous", doubling=True))
ordered = {order: f"{gain(mix('geometric', 96), 16, order=order):.2f}" for order in ("fifo", "longest")}
print("geometric, 16 seats, in order of arrival and longest first:", pairs(ordered))
reveal("09.skew", truth="b", measured="equal lengths: the same number of steps", because={
    "a": "There is nothing to fill: all leave together.",
    "c": "Each step is the same, and as many are needed."})

# %% [markdown] tags=["core"]
# *Each curve is a mix of 96 answers with about 20 tokens in the mean. Equal lengths stay at 1.*
#
# **Verdict: it depends on the skew.** With equal lengths nothing is gained. In "90 to 10", nine of ten answers have 8 tokens and the others 120: there
# static batching needs more than three times the steps. Taking the longest answers first helps a little more. But it has a danger: with a stream of long requests,
# a short one could wait for ever. That is **starvation**. So `Scheduler` counts how often somebody is overtaken, and sets a bound.
#
# **Change one line and run again:** use `sorted(mix(name, 96))` in `gains`. Why is there nothing left to gain?
#
# ## Nothing lost
#
# A request is **admitted** (it gets a seat and blocks), its prompt is computed (**prefill**), then it gets a token a step (**decode**), until it is **finished**.
# When blocks run out in the middle, the newest request is **preempted**: it loses its blocks, goes to the head of the queue, and is computed again
# later. Seven requests of 6 + 30 tokens, in eight blocks of 16:

# %% tags=["core", "stable"]
tight = Limits(max_batch=6, num_blocks=9)
figures.lanes(lanes([30] * 7, limits=tight), "Without blocks a request loses its seat, and comes back")

# %% [markdown] tags=["core"]
# *A name stands where a request takes a seat. Some names appear twice: these requests were preempted.*
#
# The answer must be the same as if nothing had happened. Two mistakes are popular here:

# %% tags=["core", "fault:lost-on-preempt", "fault:blocks-not-returned"]
class ForgetsPreempted(Scheduler):
    def preempt(self, live):
        self.store.leave(live)                 # its blocks are free. And who remembers the request?

class KeepsBlocks(PagedStore):
    def leave(self, live):
        if live.ending and live.ending[0] == "cancelled":
            live.table = None                  # the client has gone: what is there to do?
        super().leave(live)

# %% tags=["core", "stable"]
def squeezed(limits=tight, **parts):
    """Seven requests, one is cancelled: (how many end, preemptions, pool in use), and the answers."""
    engine = Engine(model, limits, prefix=False, **parts)
    for n in range(7):
        engine.add(Request(f"r{n}", prompt(n), 30))
    for step in range(300):
        engine.step()
        if step == 20:
            engine.cancel("r0")
    ended = engine.results()
    counts = len(ended), sum(r.preemptions for r in ended.values()), engine.store.pool.usage
    return counts, {name: result.tokens for name, result in ended.items() if name != "r0"}

# %% tags=["core", "stable"]
for parts in ({}, {"scheduler": ForgetsPreempted}, {"store": KeepsBlocks}):
    names = [part.__name__ for part in parts.values()] or ["right"]
    print(*names, "| ended, preemptions, share of the pool in use:", squeezed(**parts)[0])
print("the right answers are those with room for all:", squeezed()[1] == squeezed(Limits())[1])

# %% [markdown] tags=["core"]
# Seven requests went in. A lost request raises nothing: its client waits in silence. An **invariant** finds it: *every request ends exactly
# once, and an idle engine has all of its blocks.*
#
# The right engine has no special case for "was preempted". It keeps a request's tokens and one number, `num_computed`: how many of them
# have keys and values. To preempt is to set it to 0. After an interrupt in the middle of a step nothing has to be repaired: the next step computes
# what is not computed yet.
#
# ## Whose answer is it?
#
# A step sorts its requests by length, because those that are read together should be alike. The logits come back in *that* order.

# %% tags=["core", "fault:mixed-by-place"]
class ByPlace(Engine):
    def choose(self, logits, rows):
        tokens = super().choose(logits, rows)
        by_arrival = sorted(range(len(rows)), key=lambda n: rows[n].epoch)
        return [tokens[n] for n in by_arrival]             # "the first answer is the first request's"

# %% tags=["core", "stable"]
two = Request("ann", prompt(1, 9), 4), Request("bob", prompt(2, 3), 4)
for engine in (Engine, ByPlace):
    print(f"{engine.__name__:8}", pairs(served(engine(model), *two)))

# %% [markdown] tags=["core"]
# Ann's prompt is longer than Bob's, so her logits stand behind his. As long as prompts arrive in order of length, nothing shows: this bug waits for the
# first long prompt in front. The cure is that of unit 07: ask for the name, never count places.
#
# ## Whose random numbers?
#
# So far the best token was taken. With **sampling**, a token is drawn: a random number between 0 and 1 decides. Three settings shape
# the distribution first. *temperature* divides the logits, *top_k* keeps the k best tokens, and *top_p* keeps the fewest tokens that together have
# the share p.

# %% tags=["core", "stable"]
four_logits = torch.tensor([2.0, 1.0, 0.0, -1.0])
ways = {"temperature 1": Sampling(1.0), "temperature 0.5": Sampling(0.5), "temperature 2": Sampling(2.0),
        "top_k 2": Sampling(1.0, top_k=2), "top_p 0.9": Sampling(1.0, top_p=0.9)}
for name, way in ways.items():
    print(f"{name:16}", *(f"{share:4.0%}" for share in probabilities(four_logits, way).tolist()))

# %% [markdown] tags=["core"]
# > **A popular text says:** "A generator for each request makes inference reproducible."
#
# Where does the random number come from? Two bugs that were found in real servers:

# %% tags=["core", "fault:shared-sampling-rng", "fault:SAMP-01", "fault:SAMP-02"]
class SharedGenerator(Engine):                             # SAMP-01: one generator for all
    def choose(self, logits, rows):
        self.dice = getattr(self, "dice", None) or np.random.default_rng(0)
        in_turn = sorted(rows, key=lambda live: live.epoch)
        numbers = {live.request.id: self.dice.random() for live in in_turn}
        ways = [live.request.sampling for live in rows]
        return draw(logits, ways, [numbers[live.request.id] for live in rows])

class Rebuilt(Engine):                                     # SAMP-02: made anew for each token
    def choose(self, logits, rows):
        numbers = [generator_of(live.request).random() for live in rows]
        return draw(logits, [live.request.sampling for live in rows], numbers)

# %% tags=["core"]
predict("09.dice", "One generator for all. From which token on does a neighbour change Ann's text?", {
    "a": "The first", "b": "The second", "c": "It does not: the seed is the same"})

# %% tags=["core", "stable", "claim:26"]
def differs(engine, seed):
    """At which token does Ann's text differ when Bob is there? None for never."""
    ann = Request("ann", prompt(seed), 12, Sampling(1.0))
    alone = served(engine(model, deterministic=True), ann)["ann"]
    bob = Request("bob", prompt(seed + 50), 12, Sampling(1.0))
    beside = served(engine(model, deterministic=True), ann, bob)["ann"]
    return next((n + 1 for n, pair in enumerate(zip(alone, beside)) if pair[0] != pair[1]), None)

both = SharedGenerator, Engine
found = {engine.__name__: [differs(engine, seed) for seed in range(8)] for engine in both}

# %% tags=["core", "stable"]
for name, tokens in found.items():
    print(f"{name:16}", tokens)
reveal("09.dice", truth="b", measured=f"for eight prompts: {found['SharedGenerator']}", because={
    "a": "Ann came first, and takes the first number as before.",
    "c": "The seed is the same. Ann's *places in the stream* are not."})

# %% [markdown] tags=["core"]
# In a shared stream Ann gets numbers 1, 2, 3 and so on when she is alone. Beside Bob she gets 1, 3, 5. Her data is safe, and her text still depends on her neighbour.
# So each request needs a stream of its own (unit 03). Its key is a hash of what the request *is*: its id or the user's seed, and the **sample index**, which
# tells several samples of one prompt apart. (Python's `hash()` will not do: for a text it differs from process to process.)

# %% tags=["core", "stable"]
def sample(**options):
    return served(Engine(model), Request("ann", prompt(1), 6, Sampling(1.0, **options)))["ann"]

print("seed 0, samples 0 and 1:   ", sample(seed=0, index=0), sample(seed=0, index=1))
print("seed 0 for both, no index: ", sample(seed=0), sample(seed=0))
request = Request("ann", prompt(1), 6, Sampling(1.0))
print("kept:   ", generator_of(request).random(6).round(3))
print("rebuilt:", np.array([generator_of(request).random() for _ in range(6)]).round(3))

# %% [markdown] tags=["core"]
# **Verdict: it depends.** A private stream removes the neighbour's influence. Its key must be right: with seed 0 for all, two samples of one prompt are
# the same text. And it must be *kept*. SAMP-02 is the other extreme: a private generator, made anew for each token, so its first number comes again and again.
#
# One more bug lives here, and its generators are private and kept. To cut with top_k, one sorts. So the whole batch is sorted as soon as anybody cuts:

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
    print(f"{engine.__name__:11} alone     ", served(engine(model), ann)["ann"])
    print(f"{engine.__name__:11} beside Bob", served(engine(model), ann, bob)["ann"])

# %% tags=["core"]
seed_panel({"one for all": SharedGenerator, "its own": Engine, "sorted with all": SortsForAll}, model)

# %% [markdown] tags=["core"]
# *Choose where the random numbers come from, Ann's seed, and her neighbours, and let them cut. Only "its own" stays blue.*
#
# In `SortsForAll` the distribution is right, the stream is private, the seed is the same. Still a neighbour that cuts changes Ann's text: her number now falls
# on another token, because the tokens stand in another order. A test of the distribution cannot see this.
#
# **Change one line and run again:** give Ann `top_k=61`, the whole vocabulary. Why can Bob no longer change her text?
#
# ## Rounding is not a leak
#
# Private memory, private random numbers. Are the *bits* private too? Add the same 4,096 numbers, in pieces:

# %% tags=["core", "fault:INV-01", "fix:INV-01"]
def total(numbers, chunk):
    """The sum of a vector, piece by piece."""
    parts = [part.sum() for part in numbers.split(chunk)]
    return torch.stack(parts).sum()

def total_by_rows(batch):                      # INV-01: the pieces depend on how many others are there
    return torch.stack([total(row, 4096 // len(batch)) for row in batch])

def total_fixed(batch):
    return torch.stack([total(row, 64) for row in batch])

# %% tags=["core", "measured"]
batch = torch.randn(16, 4096, generator=torch.Generator().manual_seed(0))
for chunk in (1, 16, 64, 4096):
    print(f"pieces of {chunk:4}: {total(batch[0], chunk).item():.9f}")
for add in (total_by_rows, total_fixed):
    sums = [f"{add(batch[:n])[0].item():.6f}" for n in (1, 4, 16)]
    print(f"{add.__name__}, in batches of 1, 4, 16:", *sums)

# %% [markdown] tags=["core"]
# A computer's addition rounds, so its order matters: (a + b) + c need not be a + (b + c). And a fast matrix product chooses its order by the *shape* of the batch.

# %% tags=["core"]
predict("09.bits", "Alone, and in a batch. Nothing leaks. Are the logits equal, bit by bit?", {
    "a": "Yes: nothing of the others is added", "b": "Not always: the order of additions may change"})

# %% tags=["core", "measured"]
prompts = {f"r{n}": prompt(n, 5 + 9 * n) for n in range(8)}
plain, exact = (max(apart(model, prompts, deterministic=mode).values()) for mode in (False, True))
said = f"apart by {plain:.0e}; in the deterministic mode by {exact:g}"
reveal("09.bits", truth="b", measured=said, because={
    "a": "Nothing is added. But products of 3 rows and of 16 may add in different orders."})

# %% [markdown] tags=["core"]
# Less than a millionth. That is **rounding**: no data of a neighbour, only another order of the same additions. So isolation is *necessary* for equal
# bits, and not sufficient. Also needed is **batch invariance**: the order of additions must not depend on the company.
#
# `deterministic=True` has it. The rows of each product are filled up to a multiple of four, and how many keys are read for a request
# follows from *its own* length. Whether that is enough depends on the matrix library. So the engine **measures these rules when it is
# made**, and refuses the mode where one fails. Here is a pass that fails, and one that leaks:

# %% tags=["core"]
class TwoKernels(Runner):                      # many rows: the same sum, and a large number first
    def linear(self, x, weight):
        return x @ weight if len(x) <= 4 else (x @ weight + 50_000) - 50_000

class LongestMask(Runner):                     # everybody reads as far as the longest of the group
    def mask(self, group):
        return super().mask(group).amax(0, keepdim=True)

# %% tags=["core", "stable"]
try:
    Engine(model, deterministic=True, runner=TwoKernels)
except NotInvariant as refusal:
    print(str(refusal).split(" (")[0])

# %% tags=["core"]
bits_panel({"the right one": Runner, "two kernels": TwoKernels, "longest mask": LongestMask}, model)

# %% [markdown] tags=["core"]
# *Switch the mode on and off for each of the three passes. Which of them may run in it, and what does it show of the others?*
#
# In the mode, **any** difference is a leak. It costs about a fifth of the time (`python run.py bench engine` measures it). Without it you need a tolerance, and the size does not decide: `TwoKernels` is far above
# 0.0001, and nothing of a neighbour arrives. There is also the opposite, a leak far below it:

# %% tags=["core"]
class Whispers(PagedStore):                    # a millionth of a neighbour's keys
    def fetch(self, layer, group):
        keys, values = super().fetch(layer, group)
        return keys + 1e-6 * keys.roll(1, 0), values

# %% tags=["core", "measured"]
work = Workload("add old; finish old; add a; add b; step a b", {"old": 9, "a": 5, "b": 4}, slots=2)
engines = {"right": judged(), "two kernels": judged(runner=TwoKernels),
           "longest mask": judged(runner=LongestMask), "whispers": judged(store=Whispers)}
for name, engine in engines.items():
    found = verdict(engine, work)
    first = "a leak" if found.findings["alone, fp32"].sees else "clean"
    print(folded(f"{name}: alone in fp32 says {first}. The verdict is {found}"))

# %% [markdown] tags=["core"]
# *Alone against batched*, in fp32, is wrong twice here: it takes the rounding of `TwoKernels` for a leak, and it calls `Whispers` clean. `verdict` asks more:
#
# * alone again, in fp64: rounding shrinks by nine orders of magnitude, a leak does not;
# * the **neighbour**: do other tokens of the others move a single bit?
# * the **Jacobian**: is a derivative by somebody else's input anything but 0?
#
# If none of the three sees anything, it is rounding, however large. `judged` hands any engine of this kind to them.
#
# ## To the knee, and what it costs
#
# More requests in a batch share each pass through the weights, until something else is full. The **throughput** counts the tokens of all requests. Each user feels
# two other numbers: the **time to first token** (TTFT), and the time between two tokens. (All times here are processor time: what else runs on this machine does not count.)
#
# > **A popular text says:** "Beyond the knee throughput falls."

# %% tags=["core"]
predict("09.knee", "The batch grows from 1 to 64. What do the tokens a second do?", {
    "a": "They grow in proportion", "b": "They grow, and level off",
    "c": "They grow, and then fall steeply"})

# %% tags=["core", "measured"]
def load_test(batch, requests=64):
    engine = Engine(model, Limits(max_batch=batch, num_blocks=97), clock=time.process_time)
    for n in range(requests):
        engine.add(Request(f"r{n}", prompt(n, 24), 16))
    return summary(engine.run().values())

load = {batch: load_test(batch) for batch in (1, 2, 4, 8, 16, 32)}
for batch, found in load.items():
    print(f"batch size {batch:2}: {found.throughput:5.0f} tokens a second; the first one after "
          f"{1e3 * found.ttft:6.1f} ms, then one each {1e3 * found.inter_token:.2f} ms")
rate = {batch: found.throughput for batch, found in load.items()}
figures.growth({"all": rate}, "Throughput grows with the batch", "batch size", "tokens a second", True)

# %% [markdown] tags=["core"]
# *The tokens of all requests together. In the lines above, the time between two tokens of one request grows meanwhile, and the wait for the first one shrinks with the queue.*
#
# Times differ from run to run. So count again, in passes through the weights, with two ways to give out 64 blocks:

# %% tags=["core", "stable", "claim:56"]
lengths, sizes = mix("geometric"), (1, 2, 4, 8, 16, 32, 64)
most = 64 // -(-(16 + max(lengths)) // 16)     # so many requests fit if each reserves the longest answer
rates = {"blocks as needed": {n: counted(lengths, n, blocks=64).throughput for n in sizes},
         "longest reserved": {n: counted(lengths, min(n, most)).throughput for n in sizes}}
title = "Past the knee: a plateau, not a fall"
display(figures.growth(rates, title, "batch size", "tokens a pass", doubling=True))
said = pairs({n: f"{value:.2f}" for n, value in rates["blocks as needed"].items()})
reveal("09.knee", truth="b", measured=said, because={
    "a": "From some size on something else is full: here the blocks.",
    "c": "Preempted requests are computed twice. That costs a few percent."})

# %% [markdown] tags=["core"]
# *Green: each request reserves the longest answer, so the seats are full early. Blue: blocks as they are needed, and preemption when they run out.*
#
# **Verdict: it depends, and here it is a plateau.** Whatever is full first sets the knee: the arithmetic, the bandwidth, or the blocks. Beyond it
# only the waiting grows. So the batch size is a trade: throughput for the operator, latency for the user. Move the knee yourself:

# %% tags=["core"]
knee_panel(mix="geometric", batch=8, memory="64 blocks")

# %% [markdown] tags=["core"]
# *From the knee on, no larger batch brings more than a tenth. Give the panel half of the blocks, or a mix with equal answers. Which of the two moves it further?*
#
# **Change one line and run again:** let `load_test` have `num_blocks=9`. Where is the knee now, and what is full?
#
# A prompt that begins like an earlier one needs less of all this: the **prefix cache** (unit 08). The time to first token falls with the share that hits:

# %% tags=["core", "measured"]
def first_token(shared, total=256):
    """The median time to first token for prompts of 256, `shared` of them seen before; the hit rate."""
    engine = Engine(model, Limits(max_batch=1), clock=time.process_time)
    common = prompt(0, shared)
    for n in range(17):
        engine.add(Request(f"r{n}", common + prompt(n + 1, total - shared), 1))
    found = [result for name, result in engine.run().items() if name != "r0"]
    return np.median([r.token_times[0] - r.started for r in found]) * 1e3, hit_rate(engine.store)

for shared in (0, 64, 128, 192):
    after, hits = first_token(shared)
    print(f"{shared} of 256 shared: first token after {after:.1f} ms, hit rate {hits:.0%}")

# %% [markdown] tags=["core"]
# And the knee on a real device? A GPU computes much faster than it reads, so its knee is expected at a larger batch. This cell looks for it, wherever it runs:

# %% tags=["core", "measured"]
print(gpu_knee.sweep(gpu_cell("knee")))

# %% [markdown] tags=["core"]
# ## The line
#
# | must be shared | must be isolated |
# |---|---|
# | the weights, and each pass through them | the stream of random numbers: keyed by what the request is |
# | the seats of the batch, from step to step | the order in which one request's tokens stand |
# | the queue, with a bound on overtaking | the number of keys that are read: from one's own length |
# | the pool, to the last block | the tokens and `num_computed`: all that is needed to begin again |
#
# *Can the state be split finer?* From a batch to a request, and from a request to a single step. *How is it put together again?* By name, after each
# step. *Does that cost less than it gains?* Continuous batching costs nothing and gains by the skew. Equal bits cost about a fifth.
#
# ## Check yourself
#
# <details><summary>Same seed, temperature 1, and the text changes under load. Name two causes that are not a leak of data.</summary>A generator that others
# draw from, and an order of additions that follows the batch.</details>
# <details><summary>A test of the sampler's distribution is green. What may still depend on a neighbour?</summary>Which number falls on which token: the
# order in which the tokens stand.</details>
# <details><summary>A request was preempted after 10 tokens. What must the engine remember of it?</summary>Its tokens, and how many were delivered. Keys, values and
# places can be computed again.</details>
# <details><summary>Logits are off by 0.001 in fp32 and by 1e-12 in fp64. Is it a leak?</summary>It shrinks with the precision, as rounding does. If no bit moves with the
# neighbours' tokens and no derivative reaches them, it is rounding.</details>
#
# ## The door to the lab
#
# The next cell makes your own copy of the lab; it never overwrites one that is there.

# %% tags=["core"]
workspace.door("09")
