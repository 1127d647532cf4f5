# %% [markdown] tags=["core"]
# # Lab 01 · The passcode race
#
# *Six exercises, about 58 minutes. In a 90-minute class, do the first two.*
#
# Write your answer where it says `# your code here`, and run the check below it. A check tells you what is wrong with *your*
# answer, and for a race it shows the schedule that breaks it. It calls your functions many times, so don't change the arguments
# that they get. The hints are folded, and the third one nearly gives it away. Your progress is kept in `my-labs/`.

# %% tags=["core", "setup"]
from sharedstate.checks import check
from sharedstate.interleave import Scenario
from sharedstate.workspace import where_am_i

where_am_i()

# %% [markdown] tags=["core"]
# ## 01.1 Let Mallory in
#
# *10 minutes · difficulty 1 of 3 · 2 points*
#
# Here is a new checker. It counts its visits, and its fields have other names. You are the scheduler again.
#
# Write a **schedule**, a list of words:
#
# * `"alice"` is one step (one access to a field), `"alice*3"` three steps, `"alice*"` all the steps she has left.
# * Mallory gets in with her wrong passcode.
# * It takes the **fewest switches**, and both visitors finish.
# * Tomorrow a colleague will add a line at the end of `check`. Your schedule still works then.
#
# Example: `["alice*2", "mallory*", "alice*"]` has two switches, and Mallory is refused.

# %% tags=["core"]
class VaultChecker:
    def __init__(self, correct):
        self.correct = correct
        self.visits = 0
        self.candidate = ""
        self.opened = False

    def check(self, passcode):
        self.visits += 1
        self.candidate = passcode
        matches = self.candidate == self.correct
        self.opened = matches
        return self.opened

vault = Scenario(
    setup=lambda: VaultChecker("s3cret"),
    threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
    never=lambda c, answers: answers["mallory"] is True,
)
vault.play(["alice*2", "mallory*", "alice*"]).show()

# %% tags=["core", "exercise:01.1"]
schedule = ...
### BEGIN SOLUTION
schedule = ["mallory*3", "alice*", "mallory*"]
### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("01.1")

# %% [markdown] tags=["core", "hints:01.1"]
# <details><summary>Hint 1</summary>Mallory must have written before Alice comes, and must look after Alice has gone.</details>
# <details><summary>Hint 2</summary>Which of Mallory's steps is the write to <code>candidate</code>? Remember that <code>+=</code> is two steps.</details>
# <details><summary>Hint 3</summary>Mallory up to and including her write, which is her third step; Alice to her end; Mallory to her end.</details>

# %% [markdown] tags=["core"]
# ## 01.2 Name every shared access
#
# *8 minutes · difficulty 1 of 3 · 2 points*
#
# Before you can protect shared state, you must see it. Go through one call of each method below, on a fresh object, and list
# every access to something that another thread can reach:
#
# * in the **order in which it happens**,
# * as `"read field"` or `"write field"`,
# * without local variables; an attribute of the class counts like one of the object.
#
# The first class is done for you.

# %% tags=["core"]
class Turnstile:
    def __init__(self):
        self.last = ""

    def enter(self, name):
        self.last = name
        greeting = "Hello, " + self.last
        return greeting

class Visits:
    def __init__(self, limit):
        self.total, self.limit = 0, limit

    def enter(self, name):
        mine = name.strip()
        self.total += 1
        number = self.total
        return mine if number <= self.limit else None

# %% tags=["core"]
class Badge:
    issued = 0                # on the class

    def __init__(self):
        self.owner = None

    def issue(self, name):
        if self.owner is None:
            Badge.issued = Badge.issued + 1
            self.owner = name
        return self.owner

# %% tags=["core", "exercise:01.2"]
accesses = {
    "Turnstile": ["write last", "read last"],
    ### BEGIN SOLUTION
    "Visits": ["read total", "write total", "read total", "read limit"],
    "Badge": ["read owner", "read issued", "write issued", "write owner", "read owner"],
    ### END SOLUTION
}

# %% tags=["core"]
from sharedstate.checks import check

check("01.2")

# %% [markdown] tags=["core", "hints:01.2"]
# <details><summary>Hint 1</summary>Put your finger on every dot: <code>self.something</code> and <code>Badge.something</code>.</details>
# <details><summary>Hint 2</summary><code>self.total += 1</code> reads, adds, and writes. In an assignment the right side happens first.</details>
# <details><summary>Hint 3</summary><code>Visits</code> has four accesses, the last one is <code>read limit</code>. <code>Badge</code> has five, and begins and ends with <code>read owner</code>.</details>

# %% [markdown] tags=["core"]
# ## 01.3 The two invariants
#
# *10 minutes · difficulty 2 of 3 · 2 points*
#
# A race has been run. `asked` maps each name to the passcode that was tried, and `answers` maps each name to the answer: True,
# False, or the exception that the thread raised. Write the two invariants. Each returns **True when it holds**:
#
# 1. no wrong passcode passes;
# 2. everybody gets the answer to their own passcode.
#
# Example: `correct="s3cret"`, `asked={"alice": "s3cret", "mallory": "guess"}`, `answers={"alice": True, "mallory": True}`
# breaks both.

# %% tags=["core", "exercise:01.3"]
def no_wrong_passcode_passes(correct, asked, answers):
    """True when nobody with a wrong passcode got True."""
    ### BEGIN SOLUTION
    return not any(answers[name] is True and asked[name] != correct for name in asked)
    ### END SOLUTION

def everybody_gets_their_own_answer(correct, asked, answers):
    """True when each caller got True exactly for the right passcode."""
    ### BEGIN SOLUTION
    return all(answers[name] is (asked[name] == correct) for name in asked)
    ### END SOLUTION

invariants = (no_wrong_passcode_passes, everybody_gets_their_own_answer)

# %% tags=["core"]
from sharedstate.checks import check

check("01.3")

# %% [markdown] tags=["core", "hints:01.3"]
# <details><summary>Hint 1</summary>Go through the names in <code>asked</code>. Who is right? <code>asked[name] == correct</code>. Names themselves mean nothing.</details>
# <details><summary>Hint 2</summary>An exception object counts as true in an <code>if</code>. Ask <code>is True</code>.</details>
# <details><summary>Hint 3</summary><code>not any(answers[n] is True and asked[n] != correct for n in asked)</code> is the first. For the second, compare <code>answers[n]</code> with what it should be, for all of them.</details>

# %% [markdown] tags=["core"]
# ## 01.4 A harness that loses nothing
#
# *12 minutes · difficulty 3 of 3 · 3 points*
#
# To measure a race, you need a harness that has none. Write `measure(check, candidates, threads)`:
#
# * It calls `check(candidate)` once for each candidate, on `threads` threads at the same time.
# * It returns the answers **in the order of the candidates**.
# * Nothing is printed inside a thread: that text would land in whichever cell is running.
# * If `check` raises in a thread, the caller of `measure` gets that exception. By default it would vanish, and the
#   cell would look fine.
#
# Example: `measure(lambda c: c == "s3cret", ["guess", "s3cret"], 2)` returns `[False, True]`.

# %% tags=["core", "exercise:01.4"]
def measure(check, candidates, threads):
    """Return check's answers, one for each candidate, in order."""
    ### BEGIN SOLUTION
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(check, candidates))
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("01.4")

# %% [markdown] tags=["core", "hints:01.4"]
# <details><summary>Hint 1</summary>Workers return data; the main thread collects, and only the main thread prints.</details>
# <details><summary>Hint 2</summary>A <code>Future</code> remembers its worker's exception and raises it when you ask for <code>result()</code>. See <code>concurrent.futures</code>.</details>
# <details><summary>Hint 3</summary><code>ThreadPoolExecutor(threads)</code> has a <code>map</code> that keeps the order. Turn what it gives into a list while the pool is open.</details>

# %% [markdown] tags=["core"]
# ## 01.5 What does the slider do?
#
# *8 minutes · difficulty 2 of 3 · 2 points*
#
# Before you move the panel's sliders, write down what they do. Half of the requests carry a wrong passcode. `gap` is the time
# between write and read, `interval` is the switch interval, both in seconds. Return the number of false accepts that you expect
# under the GIL:
#
# * Your factor may be anything from 0.15 to 0.30 (reasoning says ¼, measurements say about 0.2).
# * Think of the ends of the sliders as well: one thread, no gap, a gap longer than the interval.
#
# Example: `false_accepts(100_000, 8, 20e-6, 0.005)` is about 100.

# %% tags=["core", "exercise:01.5"]
def false_accepts(requests, threads, gap, interval):
    """Return the expected number of wrong passcodes that pass."""
    ### BEGIN SOLUTION
    if threads == 1:
        return 0
    return requests * 0.25 * min(1, gap / interval)
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("01.5")

# %% [markdown] tags=["core", "hints:01.5"]
# <details><summary>Hint 1</summary>One of the four parameters hardly matters. Which one did the lesson show to have no effect?</details>
# <details><summary>Hint 2</summary>The chance that a switch falls into this request's gap is <code>gap / interval</code>, and a chance is at most 1.</details>
# <details><summary>Hint 3</summary><code>requests * 0.25 * min(1, gap / interval)</code>, except for a thread that is alone.</details>

# %% [markdown] tags=["core"]
# ## 01.6 Ask the explorer
#
# *10 minutes · difficulty 2 of 3 · 3 points*
#
# So far the lab asked the explorer for you. Now you ask. Write `verdict(checker)`:
#
# * `checker` is a class such as those above: `checker("s3cret")` makes one, and `check(passcode)` answers True or False.
# * Let Alice (right passcode) and Mallory (wrong one) visit **one** checker, in two threads, and try **every order**.
# * Everybody must get the answer to their own passcode. Ask about both invariants.
# * Return the explorer's own word: `"proved"`, `"broken"` or `"deadlock"`.
#
# Example: for a checker with a shared board the word is `"broken"`, for one with a local variable `"proved"`. The
# `Scenario` of 01.1 shows how to ask; `Scenario(...).explore()` returns a result with a `verdict`.

# %% tags=["core", "exercise:01.6"]
def verdict(checker):
    """Return "proved", "broken" or "deadlock" for a checker class."""
    ### BEGIN SOLUTION
    room = Scenario(
        setup=lambda: checker("s3cret"),
        threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
        never=lambda c, answers: answers["alice"] is not True or answers["mallory"] is not False,
    )
    return room.explore().verdict
    ### END SOLUTION

# %% tags=["core"]
check("01.6", verdict)

# %% [markdown] tags=["core", "hints:01.6"]
# <details><summary>Hint 1</summary><code>setup</code> must make a new checker for every run: give it a function, not an object.</details>
# <details><summary>Hint 2</summary><code>never</code> gets the checker and the answers by name. It returns True for what must not be: Alice not accepted, or Mallory not refused.</details>
# <details><summary>Hint 3</summary>Copy the scenario of 01.1, write <code>checker("s3cret")</code> in <code>setup</code>, widen <code>never</code> to both visitors, and return <code>.explore().verdict</code>.</details>

# %% [markdown] tags=["core"]
# ## What you take with you
#
# You can make a race happen, say which two accesses it needs, state what it breaks, measure it without adding a race
# of your own, and have every order tried. Unit 02 repairs the race in four ways, and finds the repairs that only look like one.
