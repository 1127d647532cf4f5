# %% [markdown] tags=["core"]
# # Lab 12 · Interview
#
# *The eight drills that ask for code, about 93 minutes. In a 90-minute class, do 12.1, 12.2 and 12.5, and read four drills of the
# deck aloud.*
#
# Write your answer where it says `# your code here`, and run the check below it. An answer may use imports and helpers from other
# cells; 12.6 is judged from its own cell alone. The hints are folded, and the third one nearly gives it away. The check's points are
# six of a drill's ten: the other four are for what you say aloud (`python run.py drill show D07`). Your progress is kept in
# `my-labs/`.

# %% tags=["core", "setup"]
from sharedstate.checks import check
from sharedstate.game import level
from sharedstate.interleave import Scenario
from sharedstate.workspace import where_am_i

where_am_i()

# %% [markdown] tags=["core"]
# ## 12.1 Which of these can race?
#
# *10 minutes · difficulty 1 of 3 · 6 points*
#
# `accesses` is a list of `(who, kind, place, locks)`: a thread, `"read"` or `"write"`, the name of a field, and a tuple of the locks
# that the thread holds at this moment. Return the pairs `(i, j)` of numbers of accesses, `i < j`, that can race:
#
# * two different threads
# * the same place
# * at least one of the two is a write
# * they hold no lock in common
#
# The pairs come in order: `(0, 1)`, `(0, 2)`, `(1, 2)`. The list is a sample of what was seen, not an order in time.
#
# Example: for `[("ann", "write", "name", ()), ("bob", "write", "name", ())]` the answer is `[(0, 1)]`.

# %% tags=["core", "exercise:12.1"]
def conflicts(accesses):
    """Return the pairs of accesses that can race."""
    ### BEGIN SOLUTION
    found = []
    for j, (who, kind, place, locks) in enumerate(accesses):
        for i, (other, what, where, held) in enumerate(accesses[:j]):
            if who != other and place == where and "write" in (kind, what) and not set(locks) & set(held):
                found.append((i, j))
    return sorted(found)
    ### END SOLUTION

# %% tags=["core"]
check("12.1", conflicts)

# %% [markdown] tags=["core", "hints:12.1"]
# <details><summary>Hint 1</summary>Go through all pairs, and ask the four questions of each.</details>
# <details><summary>Hint 2</summary><code>enumerate</code> gives the numbers; two sets of locks have none in common if their <code>&amp;</code> is empty.</details>
# <details><summary>Hint 3</summary><code>if who != other and place == where and "write" in (kind, what) and not set(locks) &amp; set(held)</code>, for every <code>j</code> and every <code>i</code> below it; sort at the end.</details>

# %% [markdown] tags=["core"]
# ## 12.2 Six come in, the counter says 2
#
# *9 minutes · difficulty 3 of 3 · 6 points*
#
# Two visitors, `left` and `right`, each add one to a shared counter, three times. In which order of their steps does the counter say
# **2** at the end? Write a schedule with the **fewest switches**, and let both finish. `+= 1` is two steps, a read and a write, so
# each visitor has six. Words as in lab 01: `"left"` is one step, `"left*3"` three, `"left*"` all that are left.
#
# Work it out on paper first. Then let `level("only-two").play([...])` say what it is worth.

# %% tags=["core"]
print(level("only-two"))

# %% tags=["core", "exercise:12.2"]
schedule = ...
### BEGIN SOLUTION
schedule = ["left", "right*4", "left", "right", "left*", "right"]
### END SOLUTION

# %% tags=["core"]
check("12.2")

# %% [markdown] tags=["core", "hints:12.2"]
# <details><summary>Hint 1</summary>A number that was read long ago wipes out everything that came after it. It can happen twice.</details>
# <details><summary>Hint 2</summary>The last write is a 2, so its visitor has read a 1. Somebody has to write that 1 late, when the other one has almost finished.</details>
# <details><summary>Hint 3</summary>Left reads 0 and waits. Right adds two. Left writes 1, right reads it and waits. Left does all it has left. Right writes 2.</details>

# %% [markdown] tags=["core"]
# ## 12.3 Stop the bank
#
# *6 minutes · difficulty 2 of 3 · 6 points*
#
# Every account has its lock, and no coin is ever lost. Still, the bank can stand still for ever. Write a schedule for `red` and
# `blue` after which nobody can move, with the **fewest switches**. Reading the field that holds a lock is a step, taking the lock is
# another, and so is giving it back.

# %% tags=["core"]
print(level("two-locks"))

# %% tags=["core", "exercise:12.3"]
standstill = ...
### BEGIN SOLUTION
standstill = ["red*3", "blue*"]
### END SOLUTION

# %% tags=["core"]
check("12.3")

# %% [markdown] tags=["core", "hints:12.3"]
# <details><summary>Hint 1</summary>Nothing wrong is computed here. Look at who waits for whom.</details>
# <details><summary>Hint 2</summary>Red must hold its own lock, and must not hold blue's yet. Then blue goes as far as it can.</details>
# <details><summary>Hint 3</summary>Red reads its lock's field, takes it, and reads the other field: <code>"red*3"</code>. Then <code>"blue*"</code>.</details>

# %% [markdown] tags=["core"]
# ## 12.4 The smallest explorer
#
# *14 minutes · difficulty 3 of 3 · 6 points*
#
# Two threads change one shared number. `ann` and `bob` are lists of steps, `("+", 3)` or `("*", 2)`, at most three each. A step is
# **two moves**: the thread reads the number; later it writes what the step makes of the number that it has read. Between the two, the
# other thread may do anything. Return a sorted list of all numbers that can be there when both have finished, each once.
#
# Example: `endings(4, [("*", 2)], [("+", -3)])` is `[1, 2, 5, 8]`: in turn 5 or 2, and 8 or 1 when one step is lost.

# %% tags=["core", "exercise:12.4"]
def endings(start, ann, bob):
    """Return every number that can be there at the end."""
    ### BEGIN SOLUTION
    found = set()

    def go(number, at, read):
        moving = [who for who, plan in enumerate((ann, bob)) if at[who] < 2 * len(plan)]
        if not moving:
            found.add(number)
        for who in moving:
            sign, by = (ann, bob)[who][at[who] // 2]
            then = [place + (k == who) for k, place in enumerate(at)]
            if at[who] % 2 == 0:
                go(number, then, [number if k == who else old for k, old in enumerate(read)])
            else:
                go(read[who] + by if sign == "+" else read[who] * by, then, read)

    go(start, [0, 0], [None, None])
    return sorted(found)
    ### END SOLUTION

# %% tags=["core"]
check("12.4", endings)

# %% [markdown] tags=["core", "hints:12.4"]
# <details><summary>Hint 1</summary>A state is the number, how many moves each thread has made, and what each has read. From a state, either thread may move.</details>
# <details><summary>Hint 2</summary>Write a function that takes a state, and calls itself once for each thread that can move. Where nobody can move, note the number.</details>
# <details><summary>Hint 3</summary>A thread with an even number of moves reads next, one with an odd number writes: <code>read[who] + by</code> or <code>read[who] * by</code>. Step <code>moves // 2</code> of its plan is the one it is at. Never change a list in place: the other branch needs it as it was.</details>

# %% [markdown] tags=["core"]
# ## 12.5 Prove the limiter
#
# *12 minutes · difficulty 2 of 3 · 6 points*
#
# `limiter(most)` makes a limiter. `allow()` says True to the first `most` callers and False to all others, and `used` is how many
# were let in. Write the test, with the explorer: take a limiter class, let several threads ask **one** limiter in **every order**,
# and return the explorer's own word, `"proved"`, `"broken"` or `"deadlock"`. It is broken when too many or **too few** are let in,
# and when `used` is not their number at the end.
#
# Example: for the limiter below the word is `"broken"`, with a lock around both lines it is `"proved"`.

# %% tags=["core"]
class Limiter:
    def __init__(self, most):
        self.most, self.used = most, 0

    def allow(self):
        if self.used < self.most:
            self.used += 1
            return True
        return False

# %% tags=["core", "exercise:12.5"]
def limiter_verdict(limiter):
    """Return "proved", "broken" or "deadlock" for a limiter class."""
    ### BEGIN SOLUTION
    room = Scenario(
        setup=lambda: limiter(2),
        threads={name: lambda one: one.allow() for name in ("ann", "bob", "eve")},
        never=lambda one, got: sum(got.values()) != 2 or one.used != 2,
    )
    return room.explore().verdict
    ### END SOLUTION

# %% tags=["core"]
check("12.5", limiter_verdict)

# %% [markdown] tags=["core", "hints:12.5"]
# <details><summary>Hint 1</summary>A <code>Scenario</code> takes a set-up, a function for each thread, and <code>never</code>: what must not be at the end.</details>
# <details><summary>Hint 2</summary>With room for one, you cannot see two who are let in at the same time. Three callers and room for two show both.</details>
# <details><summary>Hint 3</summary><code>never=lambda one, got: sum(got.values()) != 2 or one.used != 2</code> for three callers at <code>limiter(2)</code>, and return <code>.explore().verdict</code>.</details>

# %% [markdown] tags=["core"]
# ## 12.6 Once for each key
#
# *14 minutes · difficulty 2 of 3 · 6 points*
#
# Write a class `Once` with a method `get(key, make)` for many threads:
#
# * for a key that it does not have, it calls `make()`, keeps what it returned, and returns it
# * for a key that it has, it returns what it kept
# * `make()` is called **once** for each key, whoever asks at the same time; whoever comes second waits and gets the same value
# * `None` and 0 are values like any other
# * if `make()` raises, its caller gets the exception, nothing is kept, and the next caller tries again
#
# Example: after `once.get("a", list)`, another `once.get("a", list)` returns the same list.

# %% tags=["core", "exercise:12.6"]
from threading import Lock

class Once:
    """Makes a value once for each key."""
    ### BEGIN SOLUTION
    def __init__(self):
        self.values, self.lock = {}, Lock()

    def get(self, key, make):
        with self.lock:
            if key not in self.values:
                self.values[key] = make()
            return self.values[key]
    ### END SOLUTION

# %% tags=["core"]
check("12.6", Once)

# %% [markdown] tags=["core", "hints:12.6"]
# <details><summary>Hint 1</summary>Looking and keeping belong together: nobody may come in between. One lock, made in <code>__init__</code>.</details>
# <details><summary>Hint 2</summary><code>with self.lock:</code> gives the lock back also when <code>make()</code> raises. Ask <code>key not in self.values</code>, not whether the value is <code>None</code>.</details>
# <details><summary>Hint 3</summary>Inside <code>with self.lock:</code> write <code>if key not in self.values: self.values[key] = make()</code>, then <code>return self.values[key]</code>.</details>

# %% [markdown] tags=["core"]
# ## 12.7 How many locks?
#
# *14 minutes · difficulty 3 of 3 · 6 points*
#
# One lock for everything makes everybody wait; a lock for each field makes an operation take several. `operations` is a list of
# `(reads, writes)`, two tuples of field names: what one operation reads and what it writes, all as one step. Many threads call every
# operation. Return the **finest** groups of fields such that each operation needs one lock at most:
#
# * a field that no operation writes needs no lock: it is in no group, and it joins nothing
# * two written fields that one operation touches (reads or writes) are in the same group
# * nothing else joins two groups
#
# Sort the names in each group, and the groups. Example: for `[((), ("a", "b")), ((), ("c", "d"))]` it is `[["a", "b"], ["c", "d"]]`.

# %% tags=["core", "exercise:12.7"]
def lock_groups(operations):
    """Return the finest groups of fields that need one lock each."""
    ### BEGIN SOLUTION
    written = {name for _, writes in operations for name in writes}
    groups = [{name} for name in written]
    for reads, writes in operations:
        touched = written & {*reads, *writes}
        joined = set().union(*(group for group in groups if group & touched))
        groups = [group for group in groups if not group & touched] + [joined] * bool(joined)
    return sorted(sorted(group) for group in groups)
    ### END SOLUTION

# %% tags=["core"]
check("12.7", lock_groups)

# %% [markdown] tags=["core", "hints:12.7"]
# <details><summary>Hint 1</summary>First the set of fields that anybody writes. Nothing else counts.</details>
# <details><summary>Hint 2</summary>Begin with a group for each written field. Then let each operation join the groups that it touches.</details>
# <details><summary>Hint 3</summary>For each operation: <code>touched = written &amp; {*reads, *writes}</code>; take out the groups with <code>group &amp; touched</code>, and put their union back in.</details>

# %% [markdown] tags=["core"]
# ## 12.8 One order for all locks
#
# *14 minutes · difficulty 3 of 3 · 6 points*
#
# `paths` is a list of tuples of lock names: the locks that a thread takes, one after the other, while it keeps those that it has.
# Return one order of **all** locks, as a list, such that every path takes its locks in this order. If there is none, return the text
# `"no order"`.
#
# * a lock that the thread holds already may come again (an `RLock`): that says nothing about the order
# * a lock that is never held with another one has a place as well, any place
# * where several orders fit, any of them will do
#
# Example: for `[("a", "b"), ("a", "c"), ("b", "c")]` the answer is `["a", "b", "c"]`.

# %% tags=["core", "exercise:12.8"]
def lock_order(paths):
    """Return an order that fits every path, or "no order"."""
    ### BEGIN SOLUTION
    before = {name: set() for path in paths for name in path}
    for path in paths:
        held = list(dict.fromkeys(path))
        for place, name in enumerate(held):
            before[name] |= set(held[:place])
    order = []
    while len(order) < len(before):
        free = [name for name in before if name not in order and before[name] <= set(order)]
        if not free:
            return "no order"
        order.append(free[0])
    return order
    ### END SOLUTION

# %% tags=["core"]
check("12.8", lock_order)

# %% [markdown] tags=["core", "hints:12.8"]
# <details><summary>Hint 1</summary>For each lock, collect the locks that somebody holds while taking it.</details>
# <details><summary>Hint 2</summary>A lock may come next in the order when all that are held before it stand there already. If locks are left and none may come next, they wait for each other in a circle.</details>
# <details><summary>Hint 3</summary><code>list(dict.fromkeys(path))</code> drops what comes again. In a loop: <code>free = [name for name in before if name not in order and before[name] &lt;= set(order)]</code>; nothing free means <code>"no order"</code>.</details>

# %% [markdown] tags=["core"]
# ## What you take with you
#
# Say the bug's name, show one order that fails, repair it, say what the repair costs, and prove that no order is left. That is the
# whole course in five sentences, and most interviewers never hear the last one.
