# %% [markdown] tags=["core"]
# # Lab 10 · Diagnosis
#
# *Four exercises, about 46 minutes. In a 90-minute class, do the first two.*
#
# Write your answer where it says `# your code here`, and run the check below it. Don't change what you are given. Each answer cell must
# stand on its own. The hints are folded, and the third one nearly gives it away. Your progress is kept in `my-labs/`.

# %% tags=["core", "setup"]
from sharedstate.checks import check
from sharedstate.interleave import Scenario
from sharedstate.workspace import where_am_i

where_am_i()

# %% [markdown] tags=["core"]
# ## 10.1 Four questions, and a measurement
#
# *8 minutes · difficulty 1 of 3 · 2 points*
#
# `answers` are the answers to the four questions of the lesson, in their order: only with company, depends on the others' content,
# more under load, gone without sharing. `single` and `double` are the largest differences that were measured in single and in double
# precision, or `None` where nobody measured. Return one of three words:
#
# * `"rounding"`, if both were measured, `single` is above 0 and at most 0.0001, and `double` is at most 1e-9, whatever the answers are
# * otherwise `"shared state"`, if three answers or more are yes, or the second and the fourth are
# * otherwise `"something else"`
#
# Example: `triage([True, True, True, True], None, None)` is `"shared state"`.

# %% tags=["core", "exercise:10.1"]
def triage(answers, single, double):
    """Return "rounding", "shared state" or "something else"."""
    ### BEGIN SOLUTION
    measured = single is not None and double is not None
    if measured and 0 < single <= 1e-4 and double <= 1e-9:
        return "rounding"
    if sum(answers) >= 3 or (answers[1] and answers[3]):
        return "shared state"
    return "something else"
    ### END SOLUTION

# %% tags=["core"]
check("10.1", triage)

# %% [markdown] tags=["core", "hints:10.1"]
# <details><summary>Hint 1</summary>Rounding comes first: it may answer yes to everything. Then count the yeses.</details>
# <details><summary>Hint 2</summary><code>None</code> cannot be compared with a number: ask first whether both were measured.</details>
# <details><summary>Hint 3</summary><code>if single is not None and double is not None and 0 &lt; single &lt;= 1e-4 and double &lt;= 1e-9</code>, then <code>sum(answers) &gt;= 3 or (answers[1] and answers[3])</code>.</details>

# %% [markdown] tags=["core"]
# ## 10.2 Who wrote what I read?
#
# *12 minutes · difficulty 2 of 3 · 3 points*
#
# `accesses` is a list of `(who, kind, place)` in the order in which they happened; `kind` is `"read"` or `"write"`. Return a list of
# alarms `(who, writer, place)`, in the order of the accesses. Each access gives one alarm at most:
#
# * a read of a place whose **last** writer is somebody else
# * a write to a place that somebody else wrote last, if this one's own last access of the place was a **read**, and somebody has
#   written the place since then (a lost update)
#
# `writer` is the last writer of the place. `"setup"` is not like the others: what it wrote last raises no alarm, and its own accesses
# raise none. A place that nobody has written belongs to the set-up.
#
# Example: for mallory's write, alice's write and mallory's read of one `"board"`, the answer is `[("mallory", "alice", "board")]`.

# %% tags=["core", "exercise:10.2"]
def alarms(accesses):
    """Return a list of (who, writer, place)."""
    ### BEGIN SOLUTION
    last, seen, found = {}, {}, []
    for now, (who, kind, place) in enumerate(accesses):
        writer, when = last.get(place, ("setup", now))
        mine, since = seen.get((who, place), ("write", now))
        lost = mine == "read" and when > since
        if writer not in (who, "setup") and who != "setup" and (kind == "read" or lost):
            found.append((who, writer, place))
        if kind == "write":
            last[place] = who, now
        seen[who, place] = kind, now
    return found
    ### END SOLUTION

# %% tags=["core"]
check("10.2", alarms)

# %% [markdown] tags=["core", "hints:10.2"]
# <details><summary>Hint 1</summary>Keep two tables: the last writer of each place, and the last access of each one to each place.</details>
# <details><summary>Hint 2</summary>Keep a time with both: the number of the access. A write is lost work if the place was written <i>after</i> your own last read.</details>
# <details><summary>Hint 3</summary>For each access: look up writer and time, look up your own last access, decide, and only then store the new writer (after a write) and the new last access.</details>

# %% [markdown] tags=["core"]
# ## 10.3 Smaller, and smaller
#
# *14 minutes · difficulty 3 of 3 · 3 points*
#
# `parts` is a list, a failing case: requests, steps, tokens. `fails(some)` says whether a list of some of the parts, in their order,
# still fails. Return a smallest failing case as a list:
#
# * it fails
# * without any single one of its parts it does not fail
# * its parts keep their order. Parts may be equal, so go by their place
# * `fails` is asked at most 400 times, also for a thousand parts
# * `parts` itself stays as it is, and is not empty
#
# Example: for eight parts of which only number 5 matters, `shrink([0, 1, 2, 3, 4, 5, 6, 7], fails)` is `[5]`.

# %% tags=["core", "exercise:10.3"]
def shrink(parts, fails):
    """Return the parts of a smallest failing case, in order."""
    ### BEGIN SOLUTION
    parts, size = list(parts), len(parts)
    while size:
        changed, start = False, 0
        while start < len(parts):
            rest = parts[:start] + parts[start + size:]
            if rest and fails(rest):
                parts, changed = rest, True
            else:
                start += size
        if not (changed and size == 1):
            size //= 2
    return parts
    ### END SOLUTION

# %% tags=["core"]
check("10.3", shrink)

# %% [markdown] tags=["core", "hints:10.3"]
# <details><summary>Hint 1</summary>Leave out a half. Does the rest still fail? Then forget that half. If not, keep it, and try smaller pieces.</details>
# <details><summary>Hint 2</summary>Go through the list piece by piece with a piece of half the length, then of a quarter, down to one part. Go round again with single parts as long as something falls away.</details>
# <details><summary>Hint 3</summary><code>rest = parts[:start] + parts[start + size:]</code>; if <code>rest and fails(rest)</code>, go on with <code>rest</code> at the same <code>start</code>, else <code>start += size</code>. After a round: <code>size //= 2</code>, unless <code>size</code> is 1 and something changed.</details>

# %% [markdown] tags=["core"]
# ## 10.4 The test that fails first
#
# *12 minutes · difficulty 2 of 3 · 3 points*
#
# Write the regression test for the ticket of the lesson, with the explorer:
#
# * `shop` is a class: `shop()` makes one, `page(name)` returns `"Hello, "` and the name, and `pages` is how many pages were served
# * let two guests, `"ann"` and `"bob"`, ask **one** shop for their page, in two threads, in **every order**
# * each guest must get their own name, and at the end two pages must have been counted
# * return the explorer's own word: `"proved"`, `"broken"` or `"deadlock"`
#
# The check runs your test on shops that are broken in one way or another, and on shops that are repaired. It must fail on each of
# the first, and on none of the second.
#
# Example: for the shop of the lesson the word is `"broken"`, for one with a local name (and a lock around the counter) `"proved"`.

# %% tags=["core", "exercise:10.4"]
def regression(shop):
    """Return "proved", "broken" or "deadlock" for a shop class."""
    ### BEGIN SOLUTION
    room = Scenario(
        setup=shop,
        threads={"ann": lambda s: s.page("ann"), "bob": lambda s: s.page("bob")},
        never=lambda s, got: dict(got) != {"ann": "Hello, ann", "bob": "Hello, bob"} or s.pages != 2,
    )
    return room.explore().verdict
    ### END SOLUTION

# %% tags=["core"]
check("10.4", regression)

# %% [markdown] tags=["core", "hints:10.4"]
# <details><summary>Hint 1</summary>A <code>Scenario</code> takes a set-up, a function for each thread, and <code>never</code>: what must not be at the end.</details>
# <details><summary>Hint 2</summary><code>never(state, answers)</code> gets the shop and the pages by the guests' names. Ask about both pages <i>and</i> about <code>state.pages</code>.</details>
# <details><summary>Hint 3</summary><code>never=lambda s, got: dict(got) != {"ann": "Hello, ann", "bob": "Hello, bob"} or s.pages != 2</code>, and return <code>.explore().verdict</code>.</details>

# %% [markdown] tags=["core"]
# ## What you take with you
#
# Four questions and one measurement, a table of who wrote last, a case so small that it can be read, and a test that was seen to
# fail. Unit 11 shows where all of this happened in public.
