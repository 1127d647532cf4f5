# %% [markdown] tags=["core"]
# # 10 · Diagnosis
#
# *45 minutes, then lab 10.*
#
# So far somebody else has chosen the ten lines for you, and the bug was in them. At work nobody does. A ticket says: *twice this
# week a customer saw another customer's name*. There are 400,000 lines, and nobody can repeat it.
#
# In this lesson you go from such a symptom to a repair that is known to work, in six moves: **ask** four questions, **list** the
# state that is shared, **tag** it to see who wrote what was read, **shrink** the case, **force** it in a test that fails, and only
# then **fix** it, with its price.

# %% tags=["core", "setup"]
import logging
import random
import threading
from time import perf_counter

import torch

from sharedstate import figures, workspace
from sharedstate.interleave import Scenario
from sharedstate.kvcache import SlotEngine, capacity
from sharedstate.kvcache.cases import CASES
from sharedstate.kvcache.shrinking import crowd, shrink_workload
from sharedstate.kvcache.workloads import engine_of, play
from sharedstate.panels import predict, reveal, triage_panel
from sharedstate.passcodes import PriceConfig, RaceConfig, force_by_trace, measure_price, measure_race
from sharedstate.watch import Watch
from sharedstate.watch.audit import audit, table
from sharedstate.watch.caches import engine_price, watch_engine
from sharedstate.watch.price import checker_prices
from sharedstate.watch.triage import DECK
from sharedstate.watch.turns import Turns

torch.set_num_threads(1)

# %% [markdown] tags=["core"]
# ## Four questions
#
# 1. Does it happen **only with company**: with other threads or tasks, or in a batch?
# 2. Does it depend on **what the others contain**?
# 3. Does it happen more often **under load**?
# 4. Is it **gone** without the cache, or when nothing is shared?
#
# A yes to most of them, or to the second and fourth together, makes shared state your first suspect. A suspect, not the culprit:
# one kind of harmless difference answers yes to all four.

# %% tags=["core"]
predict("10.triage", "Which of these can answer yes to all four questions and still be no leak?", {
    "a": "A full disk", "b": "Rounding", "c": "A wrong comparison in one function"})

# %% [markdown] tags=["core"]
# Take the deck. Read a symptom, answer the four questions as well as the card lets you, and say whether it is this family. Every
# control can be reached with the Tab key; Space ticks a box.

# %% tags=["core"]
triage_panel()

# %% tags=["core", "stable"]
asked = {card.name: (card.answers, card.family) for card in DECK}
fooled = [card.name for card in DECK if all(card.answers) and not card.family]
display(figures.answers(asked, ("company", "content", "load", "gone"),
                        "Four yeses mean shared state, with one exception"))
reveal("10.triage", truth="b", measured=f"all yes, and no leak: {', '.join(fooled)}", because={
    "a": "A disk is full for everybody, alone or not.",
    "c": "It needs nobody else: one call with one input shows it."})

# %% [markdown] tags=["core"]
# *A row is a card. "Last digit" is rounding: another batch size adds in another order, the batch depends on the load, and alone it
# is gone.*
#
# So after four yeses you **measure**. Does the difference stay at the size of rounding (about 0.000001 in single precision), and
# does it fall to 1e-15 in double precision? Then it is rounding. A leak stays as large as it was.

# %% tags=["core", "setup"]
from sharedstate.kvcache.oracles import alone

class StaleLength(SlotEngine):           # unit 07: how far a slot was ever written, by whomever
    def valid_length(self, slot, layer):
        return self.cache.extent(slot, layer)

# %% tags=["core", "stable"]
case = CASES["stale-length-mask"].minimal
for engine in (SlotEngine, StaleLength):
    gaps = [alone(engine, case, dtype).value for dtype in (torch.float32, torch.float64)]
    print(f"{engine.__name__:12} single: {gaps[0]:.0e}  double: {gaps[1]:.0e}")

# %% [markdown] tags=["core"]
# **Change one line and run again:** take `CASES["key-is-length"].minimal`. `StaleLength` has another bug than that case; what do
# you expect?
#
# ## The audit table
#
# The suspect has a place. List **every state that can be written**: what it is, who writes it, who reads it, how long it lives,
# and what keeps two writers apart. For a module, the first half of that table can be read off its source.

# %% tags=["core", "measured"]
for module in (logging, random):
    print(module.__name__, table(audit(module)), "", sep="\n")

# %% [markdown] tags=["core"]
# Read it as a list of questions. `logging` has a lock, and most of its functions take it. Two do not: what happens if one thread
# exchanges the record factory while others log? Everybody sees the new one, which may be what you want. And `random` keeps one
# hidden generator: 23 names are methods of it. Unit 03 told you what that means.
#
# The owner and the lifetime are not in the source. You have to know them, and where nobody knows, you have found something.
#
# **Change one line and run again:** audit a module of your own, or `warnings`. Is there a row that says `none`?
#
# ## Who wrote what I read?
#
# A symptom is a reader with a wrong value. The value does not tell whose it is. **Writer tags** do. You wrap what you suspect;
# from then on each place remembers its last writer, with the line of the source. A reader that gets what *another piece of work*
# wrote raises an alarm. Here is a page of a shop: the customer's name goes onto `self`, and back.

# %% tags=["core", "setup", "fault:name-on-self"]
class Shop:
    def __init__(self):
        self.greeting, self.name = "Hello, ", ""

    def page(self, name):
        self.name = name                     # remember who is here
        prices = [round(1.1 * price) for price in (10, 20)]
        return f"{self.greeting}{self.name}: {sum(prices)}"

# %% tags=["core"]
predict("10.writer", "Ann's page stops after its first line, Bob's runs through. The alarm names …", {
    "a": "Bob, as the writer of what Ann reads", "b": "Ann, as the writer of what Bob reads",
    "c": "nobody: no line of the shop is wrong by itself"})

# %% tags=["core", "stable"]
turns = Turns(["ann", "bob*", "ann*"])       # one watched access, then all of Bob's, then the rest
log = Watch(turns.before)
shop = log.wrap(Shop(), "shop")
pages = turns.run(log, {"ann": lambda: shop.page("Ann"), "bob": lambda: shop.page("Bob")})
print(pages["ann"])
print(log)

# %% tags=["core", "stable"]
first = log.findings[0]
reveal("10.writer", truth="a", measured=f"{first.writer}, read by {first.reader}", because={
    "b": "Bob writes and reads without a break: he gets his own name.",
    "c": "The lines are right. Two of them belong together, and nobody said so."})
display(figures.who_wrote(first), figures.caption(
    "Above, the line that wrote last; below, the line that read it. Both are ordinary lines."))

# %% [markdown] tags=["core"]
# Three rules raise an alarm. **Foreign**: I read what another wrote. **Lost**: I write over what another wrote since my own read.
# **Torn**: another wrote between two reads of mine. What *may* pass from one to another, a counter say, you declare with
# `shared=`; then only the last two rules, and a write of another's between my write and my read, count.
#
# The set-up's values (`greeting`) raise no alarm: they were there before anybody worked. A piece of work is a request
# (`with log.work("ann"):`), or else a thread or a task.
#
# > **A popular text says:** "A tag of who wrote a value last finds the culprit."
#
# Try it where the values are large: three bugs of unit 07, twenty different texts each, and the right engine beside them. In a
# cache the tag also keeps **which words** a key was computed from, so that a prefix that is shared on purpose raises no alarm.

# %% tags=["core", "setup"]
class ZeroedSlot(StaleLength):
    def on_release(self, slot):
        self.cache.clear(slot)

class AbortKeepsLength(SlotEngine):
    def abort(self, request):
        self.cache.owners[self.slots.pop(request)] = None

BUGS = {"stale-length-mask": StaleLength, "zeroed-wrong-mask": ZeroedSlot,
        "abort-length-kept": AbortKeepsLength}

# %% tags=["core", "setup"]
def named(engine, name, seed):
    """Who wrote what the victim reads, in this bug's smallest workload."""
    workload, log = CASES[name].minimal, Watch()
    watched = watch_engine(log, engine_of(engine, workload, workload.model()))
    play(watched, workload, workload.contents(seed))
    return {finding.writer for finding in log.findings if finding.reader == workload.victim}

# %% tags=["core", "stable", "claim:17"]
found = {name: [named(engine, name, seed) for seed in range(20)] for name, engine in BUGS.items()}
quiet = [named(SlotEngine, name, seed) for name in BUGS for seed in range(20)]
for name, writers in found.items():
    print(f"{name:18} named in {sum(map(bool, writers))} of 20: {sorted(set().union(*writers))}")
print("alarms on the right engine:", sum(map(bool, quiet)), "of", len(quiet))

# %% [markdown] tags=["core"]
# **Verdict: true.** Every time, and no false alarm. `old's end` is the clearing of the slot: zeros have a writer, too.
#
# A tag is not free: an access with its note takes some microseconds, hundreds of times a bare one. It is a tool for a test, for one suspected object, for an hour in production, and not for everything at once:

# %% tags=["core", "measured"]
print(*checker_prices(), engine_price(), sep="\n")

# %% [markdown] tags=["core"]
# ## Smaller, and smaller
#
# The alarm came in the middle of a busy hour: sixteen requests of up to forty tokens, in four slots. Nobody can think about that.
# **Shrinking** (delta debugging) makes it small without thinking: leave out half of the requests. Does it still fail? Keep that.
# If not, leave out the other half, a quarter, one. Then the steps, then the tokens. What remains is *minimal*: leave out anything
# more, and it works.

# %% tags=["core"]
predict("10.shrink", "A stale slot: how many requests and prompt tokens are left?", {
    "a": "8 requests, some 100 tokens", "b": "2 requests, 3 tokens", "c": "1 request, 1 token"})

# %% tags=["core", "stable"]
busy = crowd()
small = shrink_workload(StaleLength, busy)
print("; ".join(" ".join(step) for step in small.smallest.steps), dict(small.smallest.lengths))

# %% tags=["core", "stable"]
display(figures.shrunk([case.size for case in small.path], small.runs), figures.caption(
    "Each mark is a smaller case that still fails. Requests fall first, then steps, then tokens."))
reveal("10.shrink", truth="b", measured=f"{small.smallest.size} (requests, steps, tokens)", because={
    "a": "That is where it stands after one halving.",
    "c": "With one request there is no old tenant whose data could be read."})

# %% [markdown] tags=["core"]
# Now the bug can be *read*: an old tenant that wrote one token more than the new one. The search is bounded (a thousand runs at
# most), and it gives the same answer each time it is asked. That needs a case that fails **every time**. A case that fails
# sometimes is first forced, by a schedule, and then shrunk.
#
# **Change one line and run again:** shrink `AbortKeepsLength` in place of `StaleLength`. Which step must stay?
#
# ## The test that fails first
#
# > **A popular text says:** "A test for a race must fail before the fix."
#
# Three colleagues write a test for the board of unit 01. The first one looks at what eight threads did. The second one asserts
# inside a thread. The third one forces the schedule. Each test is run on the broken class, on a half fix, and on the right one.

# %% tags=["core", "setup"]
class Board:
    def __init__(self, correct="s3cret"):
        self.correct, self.word = correct, ""

    def check(self, candidate):
        self.word = candidate
        return self.word == self.correct

class NewLock(Board):                    # everybody brings a lock of their own
    def check(self, candidate):
        with threading.Lock():
            return super().check(candidate)

class Local(Board):
    def check(self, candidate):
        mine = candidate
        return mine == self.correct

# %% tags=["core", "setup"]
def eight_threads(kind):
    return measure_race(RaceConfig(threads=8, requests=2_000), kind).false_accepts == 0

def asserts_inside(kind):
    def visitor():
        assert kind().check("guess") is True, "a bug, surely"      # always false. Who hears of it?
    before, threading.excepthook = threading.excepthook, lambda args: None
    thread = threading.Thread(target=visitor)
    thread.start(), thread.join()
    threading.excepthook = before
    return True                          # the test has come to its end

def forced(kind):
    room = Scenario(kind, {"alice": lambda b: b.check("s3cret"), "mallory": lambda b: b.check("guess")},
                    never=lambda board, answers: answers["mallory"] is True)
    return room.explore(first=True).verdict == "proved"

# %% tags=["core", "measured", "claim:15"]
tests, kinds = (eight_threads, asserts_inside, forced), (Board, NewLock, Local)
print(f"{'':15}", *(f"{kind.__name__:8}" for kind in kinds))
for test in tests:
    print(f"{test.__name__:15}", *(f"{'passes' if test(kind) else 'FAILS':8}" for kind in kinds))

# %% [markdown] tags=["core"]
# **Verdict: true.** Read the table by rows. Only the last test says anything: it fails on the first two and passes on the third.
# The first two pass on everything, so a pass means nothing.
#
# A team that skips the first half, "see it fail", would have accepted any of the three tests, and with it the half fix `NewLock`.
# The ticket comes back a month later, and now everybody "knows" that it is something else, because *there is a test for that*.
#
# And the ticket itself? The same question, asked before the repair and after it:

# %% tags=["core", "fix:name-on-self"]
class OwnName(Shop):
    def page(self, name):
        prices = [round(1.1 * price) for price in (10, 20)]
        return f"{self.greeting}{name}: {sum(prices)}"       # an argument: nobody else can write it

# %% tags=["core", "stable"]
def other_name(shop, pages):
    return "Ann" not in pages["ann"] or "Bob" not in pages["bob"]

guests = {"ann": lambda shop: shop.page("Ann"), "bob": lambda shop: shop.page("Bob")}
for kind in (Shop, OwnName):
    print(f"{kind.__name__:8}", Scenario(kind, guests, never=other_name).explore().verdict)

# %% [markdown] tags=["core"]
# ## Sixty-four threads and a million requests
#
# > **A popular text says:** "As a regression test, run 64 threads and a million requests."

# %% tags=["core"]
predict("10.limits", "64 threads, a million requests, `Board` as it stands. How many wrong answers?", {
    "a": "Hundreds", "b": "A handful", "c": "None"})

# %% tags=["core", "setup"]
def at_the_limit(seconds=5.0):
    asked = wrong = 0
    began = perf_counter()
    while asked < 1_000_000 and perf_counter() - began < seconds:
        result = measure_race(RaceConfig(threads=64, requests=200_000, switch_interval=1e-5), Board)
        asked, wrong = asked + 200_000, wrong + result.false_accepts + result.false_rejects
    return asked, wrong, perf_counter() - began

# %% tags=["core", "measured", "claim:16"]
asked, wrong, slow = at_the_limit()
began = perf_counter()
schedule = force_by_trace(Board(), victim="guess", intruder="s3cret")
quick = perf_counter() - began
print(f"{asked:,} requests: {wrong} wrong answers; one forced schedule: a wrong passcode passes,"
      f" {schedule.victim}")
crowd_of = f"64 threads: {wrong} found"
display(figures.seconds_to_find({crowd_of: slow, "one schedule: found": quick},
                                "One forced schedule finds what a crowd does not"),
        figures.caption("How long each took. The crowd's time is the time it was given."))
reveal("10.limits", truth="c" if wrong == 0 else "b", measured=f"{wrong} of {asked:,}", because={
    "a": "More threads make no more switches (unit 01).",
    "b": "Without a switch point between two accesses, the number of requests does not matter.",
    "c": "Today there is no switch point between the write and the read." if wrong == 0
         else "On this interpreter something did come in between."})

# %% [markdown] tags=["core"]
# **Verdict: weak.** Scale buys little, and its silence says little: this interpreter does not switch there, the next one may. A
# forced schedule finds the bug in every run, in about a millisecond. Keep a run at the limits for what only size shows: memory,
# queues, time-outs, the largest batch and the longest context. Bound it in time. It is no test of isolation.
#
# The same holds for a cache. Here are the busy hour and its smallest case; both show the bug:

# %% tags=["core", "measured"]
for name, workload in (("16 requests", busy), ("shrunk", small.smallest.put(busy))):
    began = perf_counter()
    finding = alone(StaleLength, workload)
    print(f"{name:12} {finding.text:28} {1000 * (perf_counter() - began):6.1f} ms")

# %% [markdown] tags=["core"]
# ## What the repair costs
#
# A repair has a price in time, in memory, or in both. Write it down *before* somebody asks. Here are some prices of this course,
# measured now:

# %% tags=["core", "measured"]
for work in ("loop", "sleep"):
    price = measure_price(PriceConfig(8, work, "lock"))
    print(f"a lock, eight threads, work is a {work:6}: {price.ratio:5.1f} times as long")
local = measure_price(PriceConfig(8, "loop", "local"))
print(f"a local variable, the same loop:      {local.ratio:5.1f} times as long")
for ratio in (0.3, 1):
    more = capacity.private_overhead(int(1000 * ratio), 1000, 64)
    print(f"a private prefix of {ratio:3} of the rest: +{more:.0%} memory")

# %% [markdown] tags=["core"]
# *Private copies cost about P / U: the prefix over the rest. A lock costs what really ran side by side.*
#
# ## The life-cycle map
#
# Before you close a ticket, draw the life of the state that was shared: who allocates it, who writes, who reads, when it is reused,
# who takes it back, and **who owns it at each of these moments**. Take a sheet of paper, and draw it for a slot of a cache. Then
# compare.

# %% tags=["core", "handout", "stable"]
figures.life_cycle()

# %% [markdown] tags=["core"]
# *A slot in five moments. The data outlives its owner; the valid length does not.*
#
# Where two arrows leave a box at the same time, ask: *who may write here, and who can see it?* Then make a habit of the **worst
# interleaving**: at every line, assume that everybody else runs to the end right here.
#
# ## The line, gathered from all units
#
# | system | must be shared | must be isolated | put together again by | it costs |
# |---|---|---|---|---|
# | passcode checker (01, 02) | the passcode, the lock | a request's word and answer | the lock, the return value | what ran side by side |
# | generator (03) | the master seed | a stream for each unit | a check at the join | a few kB a stream |
# | attention (04, 05) | weights, positions | heads, the future, other images | the output projection, the gate | (windows) less than all pairs |
# | KV cache (06, 07) | the pool, the weights | a slot, with its valid length | the mask | memory, planned for the peak |
# | blocks (08) | full blocks, counted | the last block, the table | hashes and copy-on-write | half a block, book-keeping |
# | server (09) | the batch, the step | the sampler's generator, the answer | the scheduler | waiting for the batch |
#
# The three questions were the same each time. *Can the state be split finer? How is it put together again? Does that cost less than
# the isolation gains?*
#
# ## Check yourself
#
# <details><summary>All four questions say yes. Is it a leak?</summary>Perhaps. Measure first: rounding says yes, too, and falls to 1e-15
# in double precision.</details>
# <details><summary>Your new test passes on the repaired code. What do you know?</summary>Nothing, until you have seen it fail on the
# broken code.</details>
# <details><summary>The tags name a line of code that is right. What now?</summary>Look at the pair: two right lines that belong together,
# and nobody said so.</details>
# <details><summary>A million requests were clean. May you close the ticket?</summary>No. You know something about this machine today.</details>
#
# ## The door to the lab
#
# The next cell makes your own copy of the lab; it never overwrites one that is there.

# %% tags=["core"]
workspace.door("10")
