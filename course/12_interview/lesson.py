# %% [markdown] tags=["core"]
# # 12 · Interview
#
# *240 minutes in all: 24 drills of ten minutes, one at a time. Lab 12 holds the eight of them that ask for code.*
#
# Somebody puts twelve lines of code on the table and asks: *is this right?* You have five minutes, and you think aloud. This unit
# practises that. There are 24 drills in three levels: **read and name**, **schedule and fix**, **design**. Each has a time limit, a
# rubric with ten points, a model answer, two follow-up questions and the trap that most people fall into.
#
# You need no interview to use them. The same five sentences close a ticket, or open a review: *this is the bug, this order shows it,
# this repairs it, this is what the repair costs, and this proves it.*

# %% tags=["core", "setup"]
import asyncio
from threading import Lock

import torch

from sharedstate import figures, workspace
from sharedstate.drills import deck, drill, interview, views
from sharedstate.game import level
from sharedstate.interleave import Scenario
from sharedstate.kvcache import PackedCache, SlotCache
from sharedstate.kvcache.cases import CASES
from sharedstate.kvcache.oracles import alone
from sharedstate.panels import drill_panel, predict, reveal
from sharedstate.panels.slots import BatchChoice, run_batch

torch.set_num_threads(1)

# %% [markdown] tags=["core"]
# ## The deck

# %% tags=["core", "stable"]
for one in deck():
    print(f"{one.id}  level {one.level}  {one.minutes:>2} min  {one.kind:6}  {one.title}")

# %% [markdown] tags=["core"]
# *Read: name what is wrong. Code: write it, in lab 12. Design: draw and talk. Aloud: explain it to somebody who is no expert.*
#
# Three ways to use it:
#
# | you are | use |
# |---|---|
# | alone, in a notebook | the panel below: clock, hints, rubric, score |
# | alone, in a terminal | `python run.py drill start D01`, then `drill hint`, `drill stop`, `drill score 1 3` |
# | two people | `python run.py drill mock --minutes 20 --seed 7`; the interviewer adds `--interviewer` |
#
# Without a computer: `python run.py drill show --print drills.html` makes a page of A4 for each drill. The question stands above a
# line, and all that the interviewer needs stands below it. Fold the page there.
#
# Rules that make practice worth something: **speak** while you think, stop at the limit, and let somebody else tick the rubric. A
# hint costs a point, and in a real interview it costs about as much.
#
# Three drills follow, one of each level, from the question to the points.

# %% [markdown] tags=["core"]
# ## Level 1, worked: is this thread-safe now?

# %% tags=["core", "stable"]
print(views.candidate(drill("D02")))

# %% tags=["core"]
predict("12.seats", "Every access is under the lock. Can two people book one seat?", {
    "a": "No: nobody can touch `free` without the lock", "b": "Yes", "c": "Only on a free-threaded Python"})

# %% [markdown] tags=["core"]
# Don't argue about it. Type the class in, ask the explorer for one order in which both book, and read it out.

# %% tags=["core", "setup"]
class Seats:
    def __init__(self, free):
        self.free, self.lock = free, Lock()

    def book(self):
        with self.lock:
            enough = self.free > 0
        if enough:
            with self.lock:
                self.free -= 1
        return enough

# %% tags=["core", "setup"]
def two_book(seats):
    return Scenario(
        setup=lambda: seats(1),
        threads={"ann": lambda s: s.book(), "bob": lambda s: s.book()},
        never=lambda s, got: sum(got.values()) != 1 or s.free != 0,
    )

# %% tags=["core", "handout", "stable"]
found = two_book(Seats).explore()
reveal("12.seats", truth="b", measured=f"{found.verdict}: {found.minimal.answers}", because={
    "a": "Nobody can. But between the two locked halves, what was seen may change.",
    "c": "Each half is one step everywhere. The gap between them is everywhere, too."})
display(figures.interleaving(found.minimal))

# %% [markdown] tags=["core"]
# *Both look while one seat is free; then both book it.*
#
# Now the repair and its proof, in one breath. The test failed on the old class, so its silence on the new one means something:

# %% tags=["core", "setup"]
class OneBooking(Seats):
    def book(self):
        with self.lock:
            enough = self.free > 0
            self.free -= enough
            return enough

# %% tags=["core", "stable"]
figures.compare([found, two_book(OneBooking).explore()], ("two locks", "one lock"))

# %% [markdown] tags=["core"]
# *With two locked halves some orders are wrong. With one there is no such order left.*
#
# And this is how it is judged. Here is an answer as somebody might give it, and what it earns:

# %% tags=["core", "stable"]
seats = drill("D02")
for grade, answer in seats.examples.items():
    print(f"{grade}, {seats.points(answer.earns)} points: {answer.text}\n")

# %% [markdown] tags=["core"]
# The half answer has seen the bug. What it lacks is cheap: the **name** (check-then-act) and the **repair**. Say both, even when you
# think that they are obvious.
#
# **Change one line and run again:** let a third person, `"eve"`, book as well. How many can get the one seat?

# %% [markdown] tags=["core"]
# ## Level 2, worked: when one goes home

# %% tags=["core", "stable"]
print(views.candidate(drill("D14")))

# %% [markdown] tags=["core"]
# Say the suspicion aloud: *the data moves, and the numbers that say where it lies do not.* The interviewer asks for the **smallest**
# batch. Predict before you draw.

# %% tags=["core"]
predict("12.batch", "The first request of a batch ends. What is the smallest batch in which somebody is hurt?", {
    "a": "2 requests: the second has moved", "b": "3 requests: the middle one is hurt",
    "c": "3 requests: both others are hurt"})

# %% [markdown] tags=["core"]
# Unit 07's cache is the same code with tensors in it. The bug is one method, and the oracle is *the model alone*: same request, no
# cache, same logits.

# %% tags=["core", "setup"]
class StaleStarts(PackedCache):
    def renumber(self, row):
        pass                          # the rows have moved up, and nobody is told

# %% tags=["core", "stable"]
runs = {n: run_batch(BatchChoice(n), StaleStarts) for n in (2, 3)}
for n, run in runs.items():
    print(f"{n} requests: {run.title}")
reveal("12.batch", truth="b", measured=runs[3].title, because={
    "a": "Its old copy still lies in the tail, where it looks.",
    "c": "The last one's old copy still lies where it looks, until somebody new comes."})
figures.memory_map(runs[3].pools, "The rows have moved up, and b reads c's", reader="b", word="row")

# %% [markdown] tags=["core"]
# *Above, a still runs. Below, a has ended, and b still reads the row in which c's data lies now.*
#
# A repair that only makes the picture right is half of it. The other half is a measurement, on the bug and on the fix. (A test with
# two requests would have been green for ever, on both.)

# %% tags=["core", "stable"]
case = CASES["stale-offsets"]
variants = {"starts, not updated": StaleStarts, "starts, updated": PackedCache, "an explicit map": SlotCache}
for name, cache in variants.items():
    seen = [alone(cache, workload).sees for workload in (case.silent, case.minimal)]
    print(f"{name:20} two requests: {seen[0]!s:6} three: {seen[1]}")

# %% [markdown] tags=["core"]
# That is ten points: the offsets, three requests and why two are silent, the middle one, the repair. The follow-up question asks what
# the explicit map costs. Have a number ready, or say how you would get one.
#
# Levels of the **scheduler game** are drills of this kind, too: D09 and D10. You write a schedule, or you claim that there is none, and
# `prove` says whether you may:

# %% tags=["core", "stable"]
for name in ("twins", "swapped"):
    one = level(name)
    print(f"{one.title}: {one.prove().verdict}; a best schedule: {one.solution()}")

# %% [markdown] tags=["core"]
# **Change one line and run again:** ask for `"one-lock"` and `"shared-result"`. Which of them may you claim to be impossible?

# %% [markdown] tags=["core"]
# ## Level 3, worked: a connection with a secret in it

# %% tags=["core", "stable"]
print(views.candidate(drill("D22")))

# %% [markdown] tags=["core"]
# A design question still wants an order that fails. Build the smallest thing that has the bug: a wire whose replies come out in the
# order of the questions, a pool of one, two users, and a cancel that may come at any await.

# %% tags=["core", "setup"]
class Wire:
    def __init__(self):
        self.replies = []

    async def send(self, question):
        self.replies.append(f"reply to {question}")

    async def receive(self):
        await asyncio.sleep(0)
        return self.replies.pop(0)

# %% tags=["core", "setup"]
class Pool:
    def __init__(self):
        self.free = [Wire()]

    async def ask(self, question):
        wire = self.free.pop() if self.free else Wire()
        try:
            await wire.send(question)
            return await wire.receive()
        finally:
            self.free.append(wire)    # good manners, and the bug

# %% tags=["core", "setup"]
def users(pool, cancel=None):
    def wrong(state, got):
        replies = {who: reply for who, reply in got.items() if isinstance(reply, str)}
        return any(reply != f"reply to {who}" for who, reply in replies.items())

    tasks = {who: lambda state, who=who: state.ask(who) for who in ("ann", "bob")}
    return Scenario(pool, tasks, never=wrong, cancel=cancel)

# %% tags=["core"]
predict("12.cancel", "Ann is cancelled. In which moment must that happen for Bob to get her data?", {
    "a": "Before she has sent anything", "b": "After she has sent, before she has her reply",
    "c": "After she has her reply"})

# %% tags=["core", "stable"]
calm, torn = users(Pool).explore(), users(Pool, cancel="ann").explore()
print("nobody cancels:", calm.verdict, "| Ann may be cancelled:", torn.verdict)
print(torn.minimal.schedule)
reveal("12.cancel", truth="b", measured=f"Bob gets {torn.minimal.answers['bob']!r}", because={
    "a": "Then nothing is on its way, and the wire is clean.",
    "c": "Then the reply was taken off the wire, and the wire is clean, too."})

# %% [markdown] tags=["core"]
# Without a cancel it is proved, which is why no test has found it. The state that outlives the call is what is still *on the wire*.
# So a wire may go back only when it is known to be clean. All other ways out, the cancel among them, drop it:

# %% tags=["core", "setup"]
class CleanPool(Pool):
    async def ask(self, question):
        wire = self.free.pop() if self.free else Wire()
        await wire.send(question)
        reply = await wire.receive()
        self.free.append(wire)        # only here is it clean; on every other way out it is let go
        return reply

# %% tags=["core", "stable"]
clean = users(CleanPool, cancel="ann").explore()
figures.compare([torn, clean], ("goes back always", "goes back clean"))

# %% [markdown] tags=["core"]
# *If the wire always goes back, in some orders Bob gets Ann's reply. If it goes back only when it is clean, in none.*
#
# Then say what it **costs**: a new connection after every cancel. And name a second line of defence: the question's number in the
# reply. Three of the four rows of this rubric can be earned without code. The fourth asks for the test, and you have just written it.
#
# **Change one line and run again:** let Bob be cancelled instead of Ann. Does anything change?

# %% [markdown] tags=["core"]
# ## Your turn, with a clock
#
# Choose a drill, start the clock, and speak. *Look at the clock* draws the time anew. *Stop* shows the model answer and the rubric;
# tick what your answer earned, or let somebody else do it, and keep the score. The history lies in `my-labs/drills.json`
# (`python run.py drill history`). Everything can be reached with the Tab key.

# %% tags=["core"]
drill_panel("D01")

# %% [markdown] tags=["core"]
# ## A mock interview for two
#
# A seed draws the drills, and their limits fit into 20 or 45 minutes. Both of you type the same seed: the candidate sees the
# questions, the interviewer sees the rubrics as well.

# %% tags=["core", "stable"]
for minutes in (20, 45):
    print(f"{minutes} minutes", views.times(interview(deck(), minutes, seed=7)), "", sep="\n")

# %% [markdown] tags=["core"]
# Every interview has a question to **explain aloud**. Its rubric asks for facts, and for clarity: one idea at a time, an example, the
# right words for the listener.
#
# ## What interviewers look for
#
# | they write down | they like | they don't |
# |---|---|---|
# | Do you ask first? | "How many threads call this? What was promised?" | code in the first minute |
# | Do you see the place? | the one field, and who writes it | "something with threads" |
# | Can you show it? | one order, step by step | "it may happen under load" |
# | Is the repair small? | a local name, one lock with a reason | a lock around everything, just in case |
# | Do you know the price? | who waits now, or how much memory | "that is fast" |
# | Do you know its limits? | "two threads were proved, and I did not ask about …" | "it cannot happen any more" |
#
# The last row is the one that sets people apart. A test that was never seen to fail proves nothing, a million clean runs prove little,
# and `proved` is about the question that you asked.
#
# ## The line
#
# | must be shared | must be isolated |
# |---|---|
# | the deck, the seed of a mock interview | the candidate's view, without rubric and hints |
# | the question, the clock | the score: each try is an entry of its own |
#
# *Can it be split finer?* By drill, and each drill by rows of points. *How is it put together again?* By the seed: two people who never
# exchange a file have the same interview. *Does that cost less than it gains?* A number to agree on.
#
# ## Check yourself
#
# <details><summary>You see the bug in ten seconds. What do you say next?</summary>The order that shows it, then the repair, the price, the
# proof. The name alone is two points of ten.</details>
# <details><summary>You do not see it. What do you do?</summary>List what is written and by whom, and stop each thread after each line: what
# may the others do right here?</details>
# <details><summary>The interviewer says: "add a lock". Is that the answer?</summary>Ask what belongs together. A lock that does not hold
# both ends of it is a half fix.</details>
# <details><summary>When is a drill done?</summary>When somebody else has ticked the rows, and you have read the trap.</details>
#
# ## The door to the lab
#
# The next cell makes your own copy of the lab; it never overwrites one that is there.

# %% tags=["core"]
workspace.door("12")
