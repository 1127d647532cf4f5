# %% [markdown] tags=["core"]
# # Lab 11 · In the wild
#
# *Six exercises, about 66 minutes. In a 90-minute class, do the first two.*
#
# Write your answer where it says `# your code here`, and run the check below it. Don't change what you are given. Each answer cell must
# stand on its own. The hints are folded, and the third one nearly gives it away. Your progress is kept in `my-labs/`.

# %% tags=["core", "setup"]
from sharedstate.checks import check
from sharedstate.interleave import Scenario
from sharedstate.workspace import where_am_i

where_am_i()

# %% [markdown] tags=["core"]
# ## 11.1 A second call, after a first
#
# *12 minutes · difficulty 2 of 3 · 3 points*
#
# Write the oracle of the lesson, for all pairs of calls:
#
# * `make()` starts a fresh service: a function that takes one call and returns an answer, or raises
# * `calls` is a list of calls
# * return a list of pairs `(i, j)`: `calls[j]` is answered differently in a fresh service after `calls[i]` than alone in a fresh service
# * the pairs are in order: `(0, 0)`, `(0, 1)`, …, `(1, 0)`, …. A call after itself is a pair, too
# * what a first call raises does not matter. What a second call raises is its answer: the type of the exception and its text
#
# Example: a service greets whoever said a name last, and `calls` is `[{"user": "ann"}, {}]`. The answer is `[(0, 1)]`.

# %% tags=["core", "exercise:11.1"]
def outlives(make, calls):
    """Return the pairs (i, j) in which call i shows in the answer to call j."""
    ### BEGIN SOLUTION
    def answer(service, call):
        try:
            return "answer", service(call)
        except Exception as error:
            return type(error).__name__, str(error)

    found = []
    for i, first in enumerate(calls):
        for j, second in enumerate(calls):
            used = make()
            answer(used, first)
            if answer(used, second) != answer(make(), second):
                found.append((i, j))
    return found
    ### END SOLUTION

# %% tags=["core"]
check("11.1", outlives)

# %% [markdown] tags=["core", "hints:11.1"]
# <details><summary>Hint 1</summary>Each pair needs two fresh services: one for the second call alone, one for both calls.</details>
# <details><summary>Hint 2</summary>Write a helper that asks a service and turns an exception into something that can be compared: two exceptions are never equal, their types and texts may be.</details>
# <details><summary>Hint 3</summary>For all i and j: <code>used = make()</code>, ask it <code>calls[i]</code> and drop the answer, then compare <code>answer(used, calls[j])</code> with <code>answer(make(), calls[j])</code>.</details>

# %% [markdown] tags=["core"]
# ## 11.2 Whose reply is it?
#
# *8 minutes · difficulty 1 of 3 · 2 points*
#
# A log of a pool of connections is a list of `(what, who, line)`; `line` is the number of the connection.
#
# * `"write"`: the command of `who` goes out, and its reply will come in on that line, after those that are still there
# * `"read"`: `who` reads the oldest reply on that line
# * `"cancel"`: `who` was cancelled and reads nothing. The server knows nothing of it
# * `"drop"`: the line is closed and opened anew; all its unread replies are gone
#
# Return a list of `(reader, owner)`, in order, for each read of a reply that is somebody else's. Where there is no reply at all, `owner` is `None`.
#
# Example: ann writes, ann is cancelled, bob writes, bob reads, all on line 0. The answer is `[("bob", "ann")]`.

# %% tags=["core", "exercise:11.2"]
def strangers(log):
    """Return a list of (reader, owner) for each read of somebody else's reply."""
    ### BEGIN SOLUTION
    unread, found = {}, []
    for what, who, line in log:
        replies = unread.setdefault(line, [])
        if what == "write":
            replies.append(who)
        elif what == "read":
            owner = replies.pop(0) if replies else None
            if owner != who:
                found.append((who, owner))
        elif what == "drop":
            replies.clear()
    return found
    ### END SOLUTION

# %% tags=["core"]
check("11.2", strangers)

# %% [markdown] tags=["core", "hints:11.2"]
# <details><summary>Hint 1</summary>Each line is a queue of names: whose replies are on their way.</details>
# <details><summary>Hint 2</summary>A cancelled task changes nothing in the queue. That is the bug.</details>
# <details><summary>Hint 3</summary>A dictionary of lists: <code>append</code> at a write, <code>pop(0)</code> at a read (or <code>None</code>), <code>clear</code> at a drop. Note a read whose owner is not the reader.</details>

# %% [markdown] tags=["core"]
# ## 11.3 Leave it as you found it
#
# *10 minutes · difficulty 2 of 3 · 2 points*
#
# `settings` belong to the whole process: `settings.has(name)` says whether there is one, `settings.get(name)` returns its value or raises
# `LookupError`, `settings.put(name, value)` sets it, `settings.remove(name)` takes it away or raises `LookupError`.
#
# `borrowed(settings, name, value, job)` runs `job()` once, with the setting `name` set to `value`:
#
# * it returns what the job returns; if the job raises, the exception goes on to the caller
# * either way the setting is afterwards as it was before: the same value, or **not there** if it was not there
# * any value may be a setting, `None` included
# * the job may change the setting, or remove it
#
# Example: with no setting `"zone"`, a job that reads it finds `value`, and afterwards there is no setting `"zone"`.

# %% tags=["core", "exercise:11.3"]
def borrowed(settings, name, value, job):
    """Run job() with a setting, and leave the setting as it was."""
    ### BEGIN SOLUTION
    there = settings.has(name)
    before = settings.get(name) if there else None
    settings.put(name, value)
    try:
        return job()
    finally:
        if there:
            settings.put(name, before)
        elif settings.has(name):
            settings.remove(name)
    ### END SOLUTION

# %% tags=["core"]
check("11.3", borrowed)

# %% [markdown] tags=["core", "hints:11.3"]
# <details><summary>Hint 1</summary>Note two things before you set anything: whether the setting was there, and its value.</details>
# <details><summary>Hint 2</summary><code>try: return job()</code> and <code>finally:</code> runs in either case, and lets the exception go on.</details>
# <details><summary>Hint 3</summary>In <code>finally</code>: if it was there, put the old value. If not, remove it, but only if the job has not removed it already.</details>

# %% [markdown] tags=["core"]
# ## 11.4 Prove the connection
#
# *14 minutes · difficulty 3 of 3 · 3 points*
#
# Ask the explorer about the incident of March 2023:
#
# * `connection` is a class: `connection()` makes one, and the coroutine `ask(name)` returns `"for "` and the name
# * let two tasks, `"ann"` and `"bob"`, ask **one** connection, in every order, where **Ann may be cancelled at each of her awaits**
# * Bob must get his own reply. Ann must get hers, if she gets any: where she was cancelled, her answer is an exception
# * return the explorer's own word: `"proved"`, `"broken"` or `"deadlock"`
#
# Example: for a connection that takes one task at a time and does not know of cancellation, the word is `"broken"`; for one that drops what was
# not read, it is `"proved"`.

# %% tags=["core", "exercise:11.4"]
def verdict(connection):
    """Return "proved", "broken" or "deadlock" for a class of connections."""
    ### BEGIN SOLUTION
    async def ann(line):
        return await line.ask("ann")

    async def bob(line):
        return await line.ask("bob")

    def never(line, got):
        return got["bob"] != "for bob" or (isinstance(got["ann"], str) and got["ann"] != "for ann")

    return Scenario(connection, {"ann": ann, "bob": bob}, never=never, cancel="ann").explore().verdict
    ### END SOLUTION

# %% tags=["core"]
check("11.4", verdict)

# %% [markdown] tags=["core", "hints:11.4"]
# <details><summary>Hint 1</summary>A task is an <code>async def</code> function of the state: <code>async def ann(line): return await line.ask("ann")</code>.</details>
# <details><summary>Hint 2</summary><code>Scenario(…, cancel="ann")</code> also tries to cancel Ann at each await. Then <code>got["ann"]</code> is an exception, and that is fine.</details>
# <details><summary>Hint 3</summary><code>never</code> asks <code>got["bob"] != "for bob" or (isinstance(got["ann"], str) and got["ann"] != "for ann")</code>. Return <code>.explore().verdict</code>.</details>

# %% [markdown] tags=["core"]
# ## 11.5 What does the key forget?
#
# *12 minutes · difficulty 2 of 3 · 3 points*
#
# `key(request)` is the key of a cache, and `request` is a dictionary of everything that the cached value depends on. `others` has another value for
# some of these factors, or for one that this request does not have. Return a pair `(forgotten, hits)`:
#
# * `forgotten` is the list of the factors of `others`, in their order, that the key forgets: change this one alone, and the key stays the same
# * `hits` is True if the same content still hits: a new dictionary with the same content, its entries in the **opposite order**, has the same key
# * `request` and `others` stay as they are
#
# Example: the key is the tuple of the tokens, and `others` has other tokens and another adapter. The answer is `(["adapter"], True)`.

# %% tags=["core", "exercise:11.5"]
def paired(key, request, others):
    """Return (factors that the key forgets, whether the same content still hits)."""
    ### BEGIN SOLUTION
    here = key(request)
    forgotten = [name for name, other in others.items() if key({**request, name: other}) == here]
    turned = dict(reversed(list(request.items())))
    return forgotten, key(turned) == here
    ### END SOLUTION

# %% tags=["core"]
check("11.5", paired)

# %% [markdown] tags=["core", "hints:11.5"]
# <details><summary>Hint 1</summary>One factor at a time, each time from the request as it was.</details>
# <details><summary>Hint 2</summary><code>{**request, name: other}</code> is a new dictionary with one entry changed or added.</details>
# <details><summary>Hint 3</summary>The list of all names in <code>others</code> whose changed request has the key of <code>request</code>; and <code>key(dict(reversed(list(request.items())))) == key(request)</code>.</details>

# %% [markdown] tags=["core"]
# ## 11.6 Everything follows its beam
#
# *10 minutes · difficulty 2 of 3 · 2 points*
#
# Repair COW-01 and COW-02 for good. After a step of beam search, new beam i goes on from old beam `parents[i]`. `kept` is a dictionary of everything
# that is kept from step to step. Return a new dictionary with the same names:
#
# * a **list** with as many entries as there are parents has an entry for each beam: entry i of the new list is a copy of the old entry `parents[i]`
# * a **dictionary** holds such things again, one a layer, say: it is treated in the same way
# * anything else stays as it is: a number, a text, `None`, a list of another length
# * two beams with the same parent have a copy **each**, and `kept` itself does not change
#
# Example: with `parents = [2, 0, 0]`, `{"past": [["a"], ["b"], ["c"]], "length": 1}` becomes `{"past": [["c"], ["a"], ["a"]], "length": 1}`.

# %% tags=["core", "exercise:11.6"]
def follow(kept, parents):
    """Return what the new beams keep."""
    ### BEGIN SOLUTION
    import copy

    found = {}
    for name, one in kept.items():
        if isinstance(one, dict):
            found[name] = follow(one, parents)
        elif isinstance(one, list) and len(one) == len(parents):
            found[name] = [copy.deepcopy(one[parent]) for parent in parents]
        else:
            found[name] = copy.deepcopy(one)
    return found
    ### END SOLUTION

# %% tags=["core"]
check("11.6", follow)

# %% [markdown] tags=["core", "hints:11.6"]
# <details><summary>Hint 1</summary>Go by what a thing is, never by what it is called.</details>
# <details><summary>Hint 2</summary>A function that calls itself for a dictionary inside; for a list of the right length, a new list with a copy of each parent's entry.</details>
# <details><summary>Hint 3</summary><code>[copy.deepcopy(one[parent]) for parent in parents]</code> for a list with <code>len(one) == len(parents)</code>, <code>follow(one, parents)</code> for a dictionary.</details>

# %% [markdown] tags=["core"]
# ## What you take with you
#
# Ten bugs of other people, an oracle for what a call leaves behind, and the habit to ask of each state: how long does it live, and whose is it
# meanwhile? Unit 12 asks you all of this with a clock beside you.
