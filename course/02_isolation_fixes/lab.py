# %% [markdown] tags=["core"]
# # Lab 02 · Isolation fixes
#
# *Seven exercises, about 76 minutes. In a 90-minute class, do the first two.*
#
# Write your answer where it says `# your code here`, and run the check below it. Most checks run your code in
# **every order** of its steps, and show you the order that breaks it. An answer may use imports and helpers from other
# cells, and what the lab itself defines (`Racy`, `Account`). Your progress is kept in `my-labs/`.

# %% tags=["core", "setup"]
from threading import Lock

from sharedstate.checks import check
from sharedstate.interleave import Scenario
from sharedstate.workspace import where_am_i

where_am_i()

# %% [markdown] tags=["core"]
# ## 02.1 Fix four ways
#
# *12 minutes · difficulty 2 of 3 · 3 points*
#
# Here is the racy checker. Repair it four times, each time **using one technique only**:
#
# * `"lock"`: `input_buffer` and `result` stay on `self` and are still written; a lock alone repairs it. When a comparison
#   raises an exception, the next visitor must not wait for ever.
# * `"local"`: no lock, no `threading.local`, and `check` writes nothing that threads share.
# * `"thread-local"`: the fields move into a `threading.local`, which stays on `self`. No lock.
# * `"immutable"`: no lock, and setting any attribute of the object, an old one or a new one, raises an exception.
#
# Each of the four repairs is worth a quarter of the points. Each class is made by `Checker("s3cret")`, and
# `check(candidate)` returns True for exactly the passcode, False otherwise.

# %% tags=["core", "setup"]
class Racy:
    def __init__(self, correct):
        self.correct, self.input_buffer, self.result = correct, "", False

    def check(self, candidate):
        self.input_buffer = candidate
        self.result = self.input_buffer == self.correct
        return self.result

# %% tags=["core", "exercise:02.1"]
import threading
from dataclasses import dataclass

fixes = ...
### BEGIN SOLUTION
class Locked(Racy):
    def __init__(self, correct):
        super().__init__(correct)
        self.lock = threading.Lock()

    def check(self, candidate):
        with self.lock:
            return super().check(candidate)

class OwnWord(Racy):
    def check(self, candidate):
        return candidate == self.correct

class OwnThread:
    def __init__(self, correct):
        self.correct, self.mine = correct, threading.local()

    def check(self, candidate):
        self.mine.word = candidate
        return self.mine.word == self.correct

@dataclass(frozen=True)
class Fixed:
    correct: str

    def check(self, candidate):
        return candidate == self.correct

fixes = {"lock": Locked, "local": OwnWord, "thread-local": OwnThread, "immutable": Fixed}
### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("02.1")

# %% [markdown] tags=["core", "hints:02.1"]
# <details><summary>Hint 1</summary>Four small classes and a dict. The lock must be made once, in <code>__init__</code>, and held from the first write to the last read.</details>
# <details><summary>Hint 2</summary><code>self.mine = threading.local()</code> in <code>__init__</code>; then <code>self.mine.word</code> is another attribute in each thread.</details>
# <details><summary>Hint 3</summary><code>@dataclass(frozen=True)</code> over a class with the field <code>correct: str</code> refuses every write. For the local one, compare the argument itself.</details>

# %% [markdown] tags=["core"]
# ## 02.2 Break the half fixes
#
# *10 minutes · difficulty 2 of 3 · 3 points*
#
# Here are three repairs that a colleague has merged. For each, write a schedule:
#
# * Mallory gets in with her guess.
# * It takes the **fewest switches**, and both visitors finish.
# * Words as in lab 01: `"alice"` is one step, `"alice*3"` three, `"alice*"` all she has left.
# * Taking a lock and giving it back are steps, too, and so is reading the field that holds the lock.
#
# Each schedule is worth a third of the points. Your answer is a dictionary: `{"TwoLocks": [...], "NewLock": [...], "SharedResult": [...]}`. Try schedules in the cell below.

# %% tags=["core"]
class TwoLocks:
    def __init__(self, correct):
        self.correct, self.word, self.lock = correct, "", Lock()

    def check(self, passcode):
        with self.lock:
            self.word = passcode
        with self.lock:
            return self.word == self.correct

class NewLock:
    def __init__(self, correct):
        self.correct, self.word = correct, ""

    def check(self, passcode):
        with Lock():
            self.word = passcode
            return self.word == self.correct

# %% tags=["core"]
class SharedResult:
    def __init__(self, correct):
        self.correct, self.result = correct, False

    def check(self, passcode):
        word = passcode
        self.result = word == self.correct
        return self.result

def visit(checker):
    calls = {"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")}
    return Scenario(lambda: checker("s3cret"), calls,
                    never=lambda c, answers: answers["mallory"] is True)

visit(TwoLocks).play(["mallory*", "alice*"]).show()

# %% tags=["core", "exercise:02.2"]
schedules = {
    ### BEGIN SOLUTION
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
    ### END SOLUTION
}

# %% tags=["core"]
from sharedstate.checks import check

check("02.2")

# %% [markdown] tags=["core", "hints:02.2"]
# <details><summary>Hint 1</summary>In all three Mallory writes, Alice runs to her end, Mallory reads. Where exactly must Mallory stop?</details>
# <details><summary>Hint 2</summary>In <code>TwoLocks</code> she must stop with no lock in her hand, or Alice has to wait. Count: read the field, take, write, give back.</details>
# <details><summary>Hint 3</summary><code>TwoLocks</code>: four steps of Mallory, then <code>"alice*"</code>, then <code>"mallory*"</code>. <code>SharedResult</code>: read correct, write result, and stop.</details>

# %% [markdown] tags=["core"]
# ## 02.3 The right grain for tasks
#
# *10 minutes · difficulty 2 of 3 · 2 points*
#
# Write a class `TaskStore` with `put(value)` and `get()`. **Each task has its own value:**
#
# * After an `await`, each task gets back exactly what it put, whatever other tasks put in the meantime. The value can be anything.
# * A task that never put anything gets `None`, even when earlier tasks have ended, and whatever the tasks are called.
# * Two stores are independent.
#
# Tasks of one event loop share one thread. (Whether a new task inherits its creator's value is up to you.)

# %% tags=["core", "exercise:02.3"]
from contextvars import ContextVar

class TaskStore:
    """put(value), get(): a value for each task."""
    ### BEGIN SOLUTION

    def __init__(self):
        self.value = ContextVar("value", default=None)

    def put(self, value):
        self.value.set(value)

    def get(self):
        return self.value.get()
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("02.3")

# %% [markdown] tags=["core", "hints:02.3"]
# <details><summary>Hint 1</summary>An attribute is one value for everybody, and a <code>threading.local</code> is one value for everybody in this thread.</details>
# <details><summary>Hint 2</summary>Each task runs in a context of its own. A <code>ContextVar</code> lives there, and so its <code>default</code> should be nothing that can be changed.</details>
# <details><summary>Hint 3</summary><code>self.value = ContextVar("value", default=None)</code> in <code>__init__</code>; then <code>set</code> and <code>get</code>.</details>

# %% [markdown] tags=["core"]
# ## 02.4 A request context in a pool
#
# *10 minutes · difficulty 2 of 3 · 2 points*
#
# A pool uses its threads again and again. Write `request(mine, user, job)`:
#
# * It runs `job()` once, with `mine.user` set to `user`. (`mine` is a `threading.local`; `user` is any value, None for a guest.)
# * It returns what the job returns. If the job raises or is cancelled, the exception goes on to the caller.
# * Either way, it **leaves nothing of the user in `mine`**: in a thread that had no user, `getattr(mine, "user", None)` is None
#   afterwards.
# * Anything else in `mine` stays visible to the job and survives it.
# * A request may run inside another one; afterwards the outer one sees its own user again.

# %% tags=["core", "exercise:02.4"]
def request(mine, user, job):
    """Run job() with mine.user == user; leave nothing behind in the thread."""
    ### BEGIN SOLUTION
    before = getattr(mine, "user", None)
    mine.user = user
    try:
        return job()
    finally:
        mine.user = before
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("02.4")

# %% [markdown] tags=["core", "hints:02.4"]
# <details><summary>Hint 1</summary>Something must happen after the job however it ends. Which statement does that?</details>
# <details><summary>Hint 2</summary>Remember what was there before, and put that back: None for a thread that had nothing.</details>
# <details><summary>Hint 3</summary><code>try: return job()</code>, <code>finally: mine.user = before</code>, where <code>before = getattr(mine, "user", None)</code> was read at the start: a fresh thread has no <code>mine.user</code> at all.</details>

# %% [markdown] tags=["core"]
# ## 02.5 The smallest critical section
#
# *12 minutes · difficulty 3 of 3 · 3 points*
#
# A till in a busy shop: `Till()` has `total` and `count`, both 0 at first. `sell(item, price_of, print_receipt)`
#
# * asks `price_of(item)` once (slow: another computer answers),
# * adds the price to `total`, and 1 to `count`; this sale's number is the new count, the first is 1,
# * calls `print_receipt(number, price)` once (slow: a printer), and returns the number.
#
# Keep it right for customers at several desks at once:
#
# * No customer waits for another customer's slow work.
# * If `price_of` raises, nothing is sold. If `print_receipt` raises, the sale stands.
# * Either way the exception goes on to the caller, and the next customer is served.

# %% tags=["core", "exercise:02.5"]
import threading

class Till:
    """total, count, sell(item, price_of, print_receipt) -> the receipt's number."""
    ### BEGIN SOLUTION

    def __init__(self):
        self.total, self.count, self.lock = 0, 0, threading.Lock()

    def sell(self, item, price_of, print_receipt):
        price = price_of(item)
        with self.lock:
            self.total += price
            self.count += 1
            number = self.count
        print_receipt(number, price)
        return number
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("02.5")

# %% [markdown] tags=["core", "hints:02.5"]
# <details><summary>Hint 1</summary>Which lines touch <code>total</code> and <code>count</code>? Only these need the lock.</details>
# <details><summary>Hint 2</summary>Reading your number is part of the promise: between adding 1 and reading the count nobody may add another.</details>
# <details><summary>Hint 3</summary>Price before the <code>with</code>; inside, two additions and <code>number = self.count</code>; the receipt after it.</details>

# %% [markdown] tags=["core"]
# ## 02.6 A lock order that cannot deadlock
#
# *12 minutes · difficulty 3 of 3 · 3 points*
#
# Accounts have a `number` (all different, never changed), a `balance` and a `lock`. Write `transfer(source, target, amount)`:
#
# * It moves the amount and returns True, or changes nothing and returns False when the balance is too small.
# * No order of transfers loses money, overdraws an account, or ends in a deadlock.
# * An auditor holds the locks of both accounts, the smaller number first, and always finds the right sum.
# * A transfer from an account to itself moves nothing. It returns True when the balance is large enough, False otherwise.
# * However `transfer` ends, even by an exception, both locks are free afterwards.

# %% tags=["core", "setup"]
class Account:
    def __init__(self, number, balance):
        self.number, self.balance, self.lock = number, balance, Lock()

# %% tags=["core", "exercise:02.6"]
def transfer(source, target, amount):
    """Move the amount and return True; False when the balance is too small."""
    ### BEGIN SOLUTION
    if source is target:
        return source.balance >= amount
    first, second = (source, target) if source.number < target.number else (target, source)
    with first.lock, second.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("02.6")

# %% [markdown] tags=["core", "hints:02.6"]
# <details><summary>Hint 1</summary>A circle needs two threads that take the same locks in different orders. What do all threads agree on?</details>
# <details><summary>Hint 2</summary>Sort the two accounts by <code>number</code>, take the locks in that order, and look at the balance only when you hold both.</details>
# <details><summary>Hint 3</summary><code>first, second = (source, target) if source.number < target.number else (target, source)</code>, then <code>with first.lock, second.lock:</code>. If both are the same account, nothing moves.</details>

# %% [markdown] tags=["core"]
# ## 02.7 Prove the bank
#
# *10 minutes · difficulty 3 of 3 · 3 points*
#
# Now *you* judge other people's transfers. Write `bank_verdict(transfer)`:
#
# * `transfer(source, target, amount)` is meant to do what 02.6 asks, with accounts of the class `Account`.
# * Let two transfers run at the same time, in every order, and ask whether each does what it says.
# * Return the explorer's own word: `"proved"`, `"broken"` or `"deadlock"`.
#
# Some of the transfers are sly: one moves nothing and says True, one moves the money and says False.
#
# Example: for a transfer without any lock the word is `"broken"`.

# %% tags=["core", "exercise:02.7"]
def bank_verdict(transfer):
    """Return "proved", "broken" or "deadlock" for a transfer function."""
    ### BEGIN SOLUTION
    def wrong(bank, answers):
        balances = [account.balance for account in bank]
        return balances != [90, 110] or answers["there"] is not True or answers["back"] is not True

    room = Scenario(
        setup=lambda: [Account(1, 100), Account(2, 100)],
        threads={"there": lambda bank: transfer(bank[0], bank[1], 30),
                 "back": lambda bank: transfer(bank[1], bank[0], 20)},
        never=wrong,
    )
    return room.explore().verdict
    ### END SOLUTION

# %% tags=["core"]
check("02.7", bank_verdict)

# %% [markdown] tags=["core", "hints:02.7"]
# <details><summary>Hint 1</summary><code>setup</code> makes two fresh accounts; one thread transfers there, the other back. In one direction only, no circle can close.</details>
# <details><summary>Hint 2</summary>If both move the same amount, a transfer that does nothing looks right. Choose two different amounts.</details>
# <details><summary>Hint 3</summary><code>never</code> compares each balance with what it must be at the end, and asks whether both answers are True.</details>

# %% [markdown] tags=["core"]
# ## What you take with you
#
# You can repair a race in four ways, tell a repair from half of one, prove it yourself, and choose the grain: thread, task,
# request, section. Unit 03 asks the same of something that looks harmless: a random generator that everybody shares.
