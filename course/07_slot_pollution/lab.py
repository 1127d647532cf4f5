# %% [markdown] tags=["core"]
# # Lab 07 · Slot pollution
#
# *Six exercises, about 68 minutes. In a 90-minute class, do the first two.*
#
# Write your answer where it says `# your code here`, and run the check below it. Keys and values are small whole numbers here, so
# that you can see whose they are. Don't change what you are given, nor what you gave before. Each answer cell must stand on its own.
# The hints are folded, and the third one nearly gives it away. Your progress is kept in `my-labs/`.

# %% tags=["core", "setup"]
import torch

from sharedstate.checks import check
from sharedstate.workspace import where_am_i

torch.set_num_threads(1)
where_am_i()

# %% [markdown] tags=["core"]
# ## 07.1 Only what is valid
#
# *10 minutes · difficulty 1 of 3 · 2 points*
#
# `pool` is `[num_slots, capacity]`, full of numbers: valid ones, and old ones that nobody has cleared. Row `r` of the batch lives in slot
# `slots[r]`. `lengths[s]` says how many places of slot `s` are valid, the `q_len` newest included; these `q_len` tokens are the queries,
# in order. Return `[rows, q_len, capacity]`, boolean: **True where a query may read**, which is what its own request has written, up to the
# query's own place.
#
# Example: slots `[0, 1]`, lengths `[3, 2]`, `q_len=1`, capacity 4: `[[[1, 1, 1, 0]], [[1, 1, 0, 0]]]`, as booleans.

# %% tags=["core", "exercise:07.1"]
def may_read(pool, slots, lengths, q_len):
    """Return [rows, q_len, capacity], True where a query may read."""
    ### BEGIN SOLUTION
    place = torch.arange(pool.shape[1], device=pool.device)
    newest = lengths[slots] - 1                                     # [rows]
    back = torch.arange(q_len - 1, -1, -1, device=pool.device)      # [q_len]
    return place <= (newest[:, None] - back)[..., None]
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("07.1")

# %% [markdown] tags=["core", "hints:07.1"]
# <details><summary>Hint 1</summary>What lies in the pool says nothing: a valid number may be 0, and an old one need not be. Only the lengths know.</details>
# <details><summary>Hint 2</summary><code>lengths[slots]</code> is the valid length of each <em>row</em>. The last query stands at that length minus 1, the one before it one place earlier.</details>
# <details><summary>Hint 3</summary><code>query = lengths[slots][:, None] - q_len + torch.arange(q_len)</code>, then <code>torch.arange(capacity) &lt;= query[..., None]</code>.</details>

# %% [markdown] tags=["core"]
# ## 07.2 A map instead of offsets
#
# *12 minutes · difficulty 2 of 3 · 3 points*
#
# A flat pool of `num_slots * capacity` places. Who lies where? Counting from the front ("the second of those that run") moves everybody when
# somebody ends, and their keys stay where they were. Write a class that *remembers*:
#
# * `SlotMap(num_slots, capacity)`
# * `start(request)`: True, and the request has `capacity` places of its own until it ends. False, and nothing changes, when it runs already or all slots are taken.
# * `place(request, position)`: the place in the pool, from 0, for a position from 0 to `capacity - 1`. **The same answer as long as it runs**, and never a place of somebody else who runs. `None` for another position, or for a request that does not run.
# * `finish(request)`: its places are free again. For one that does not run, nothing happens.
#
# Example: `SlotMap(3, 2)`, a and b start: `place("a", 1)` may be 1, and `place("b", 0)` may be 2.

# %% tags=["core", "exercise:07.2"]
class SlotMap:
    """start(request), place(request, position), finish(request)."""
    ### BEGIN SOLUTION

    def __init__(self, num_slots, capacity):
        self.capacity = capacity
        self.free = set(range(num_slots))
        self.slot = {}

    def start(self, request):
        if request in self.slot or not self.free:
            return False
        self.slot[request] = self.free.pop()
        return True

    def place(self, request, position):
        if request not in self.slot or not 0 <= position < self.capacity:
            return None
        return self.slot[request] * self.capacity + position

    def finish(self, request):
        if request in self.slot:
            self.free.add(self.slot.pop(request))
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("07.2")

# %% [markdown] tags=["core", "hints:07.2"]
# <details><summary>Hint 1</summary>Two things must be remembered: which slots are free, and which slot each running request has.</details>
# <details><summary>Hint 2</summary>A set of free slots and a dict from request to slot, both made in <code>__init__</code>. <code>start</code> moves a slot from one to the other, <code>finish</code> moves it back.</details>
# <details><summary>Hint 3</summary>The place is <code>self.slot[request] * self.capacity + position</code>, after asking <code>request in self.slot and 0 &lt;= position &lt; self.capacity</code>.</details>

# %% [markdown] tags=["core"]
# ## 07.3 Owner tags
#
# *12 minutes · difficulty 2 of 3 · 3 points*
#
# A note beside the data: who wrote each place, and in which *epoch* of its slot. An epoch begins whenever the slot is taken.
#
# * `take(slot, owner)`: the slot belongs to `owner` from now on; nothing is cleared.
# * `wrote(slot, place)`: the slot's present owner has just written there.
# * `share(slot, place, reader)`: `reader` may read what lies there now, beside those who could before. A new write ends that. Sharing an old place does not make it new.
# * `look(reader, slot, place)` returns the first word that fits: `"empty"` (nobody has ever written there), `"stale"` (it was written before the slot was taken the last time, by whomever), `"ok"` (the reader wrote it, or it was shared with the reader) or `"foreign"`.
#
# Example: ann takes slot 0 and writes place 0. Then `look("ann", 0, 0)` is `"ok"`, `look("ben", 0, 0)` is `"foreign"`, `look("ann", 0, 1)` is `"empty"`.

# %% tags=["core", "exercise:07.3"]
class Tags:
    """take(slot, owner), wrote(slot, place), share(slot, place, reader), look(reader, slot, place)."""
    ### BEGIN SOLUTION

    def __init__(self):
        self.owner, self.epoch, self.tags = {}, {}, {}

    def take(self, slot, owner):
        self.owner[slot] = owner
        self.epoch[slot] = self.epoch.get(slot, 0) + 1

    def wrote(self, slot, place):
        self.tags[slot, place] = (self.epoch[slot], {self.owner[slot]})

    def share(self, slot, place, reader):
        _, readers = self.tags[slot, place]
        readers.add(reader)

    def look(self, reader, slot, place):
        if (slot, place) not in self.tags:
            return "empty"
        epoch, readers = self.tags[slot, place]
        if epoch != self.epoch[slot]:
            return "stale"
        return "ok" if reader in readers else "foreign"
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("07.3")

# %% [markdown] tags=["core", "hints:07.3"]
# <details><summary>Hint 1</summary>A name is not enough: the same guest may come back to the same slot, and what lies there is old all the same.</details>
# <details><summary>Hint 2</summary>Count the epochs of each slot. A tag is a pair: the epoch of the write, and the set of those who may read. Key it by <code>(slot, place)</code>.</details>
# <details><summary>Hint 3</summary><code>wrote</code> stores <code>(self.epoch[slot], {self.owner[slot]})</code>. <code>look</code>: no tag, then another epoch, then <code>reader in readers</code>.</details>

# %% [markdown] tags=["core"]
# ## 07.4 All layers or none
#
# *14 minutes · difficulty 3 of 3 · 3 points*
#
# Write `extend(cache, request, rows)`: `rows[layer]` are the numbers that this layer gets, written by `cache.put`.
#
# * A request without a slot takes a free one first; what was valid there is not valid any more. When no slot is free, raise whatever you like.
# * Layers need not be equally long.
# * Writing may fail at any point with **any** exception, including one that is not an `Exception` (the client hangs up), before or after the
#   number is in.
# * Then `extend` takes back its own steps and lets the exception out: the request reads what it read before. If it was new, it has no slot, and
#   the slot is free.
# * **Other requests move on in the meantime**, and keep what they did.
#
# Example: ann reads `[[7], [8]]` (two layers). After `extend(cache, "ann", [[1], [2]])` she reads `[[7, 1], [8, 2]]`.

# %% tags=["core"]
class Cache:
    """numbers[layer][slot][place], lengths[layer][slot]. Nothing is ever cleared."""

    def __init__(self, num_layers, num_slots, capacity):
        self.numbers = [[[0] * capacity for _ in range(num_slots)] for _ in range(num_layers)]
        self.lengths = [[0] * num_slots for _ in range(num_layers)]
        self.slot, self.free = {}, set(range(num_slots))        # request -> slot, and the free slots

    def put(self, layer, slot, number):
        self.numbers[layer][slot][self.lengths[layer][slot]] = number
        self.lengths[layer][slot] += 1

# %% tags=["core", "exercise:07.4"]
def extend(cache, request, rows):
    """Append rows[layer] to each layer of the request's slot: all of it, or nothing."""
    ### BEGIN SOLUTION
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    before = [0 if new else lengths[slot] for lengths in cache.lengths]

    def to_before():
        for lengths, length in zip(cache.lengths, before):
            lengths[slot] = length

    to_before()
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException:
        to_before()
        if new:
            cache.free.add(cache.slot.pop(request))
        raise
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("07.4")

# %% [markdown] tags=["core", "hints:07.4"]
# <details><summary>Hint 1</summary>The numbers themselves need no repair: what lies after the valid length is never read. So what must be remembered before the first write?</details>
# <details><summary>Hint 2</summary>Remember the lengths of <em>this slot</em> in every layer, not of the whole cache. Put them back in an <code>except BaseException:</code> that ends with <code>raise</code>.</details>
# <details><summary>Hint 3</summary>For a new request, set its slot's lengths to 0 before you remember them; on failure also <code>cache.free.add(cache.slot.pop(request))</code>, but only if it was new.</details>

# %% [markdown] tags=["core"]
# ## 07.5 Pick the oracle
#
# *10 minutes · difficulty 2 of 3 · 2 points*
#
# Four oracles, and a card that describes a bug. Which of them see it in **every** run?
#
# * `"alone"`: the request alone on a fresh engine against the batch; alarm above 1e-9 in float64, 1e-4 in float32, 0.1 in bfloat16
# * `"neighbour"`: the batch twice, all shapes equal; whatever *others* have written, those that run and those that are gone, has other contents the second time. Alarm when one bit differs
# * `"owner tag"`: alarm when a request reads a row that it did not write itself since it took the slot
# * `"poison"`: every place that is given back is filled with 1e30, after any clearing. Alarm when it shows
#
# The card: `reads` tells what the request reads beside what it should, always: `"own rows"` (nothing of others: its own rows at wrong positions, say), `"neighbour"` (rows of one who runs),
# `"freed"` (rows of one who is gone) or `"zeroed"` (such rows, set to zero when their owner left). `wrong_alone`: alone it is wrong in the same way. `error`: the largest
# difference to the right logits, `dtype`: of the computation. Return a set of names.
#
# Example: `who_sees("freed", False, 0.2, "float32")` is `{"alone", "neighbour", "owner tag", "poison"}`.

# %% tags=["core", "exercise:07.5"]
def who_sees(reads, wrong_alone, error, dtype):
    """Return the set of oracles that see this bug in every run."""
    ### BEGIN SOLUTION
    seen = set()
    if not wrong_alone and error > {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1}[dtype]:
        seen.add("alone")
    if reads in ("neighbour", "freed"):
        seen.add("neighbour")
    if reads != "own rows":
        seen.add("owner tag")
    if reads in ("freed", "zeroed"):
        seen.add("poison")
    return seen
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("07.5")

# %% [markdown] tags=["core", "hints:07.5"]
# <details><summary>Hint 1</summary>Go oracle by oracle, and ask what it compares. Only one of them knows a tolerance, and only that one looks at the request alone.</details>
# <details><summary>Hint 2</summary>Zeroed rows do not depend on what somebody wrote, so changing that changes nothing. But the reader did not write them; and the poison comes after the clearing.</details>
# <details><summary>Hint 3</summary>alone: <code>not wrong_alone and error > tolerance</code>. neighbour: two of the four kinds. owner tag: three. poison: two, and not the same two.</details>

# %% [markdown] tags=["core"]
# ## 07.6 Padding and positions
#
# *10 minutes · difficulty 1 of 3 · 2 points*
#
# Write `pad(prompts, filler, side)`. `prompts` is a list of lists of token numbers, none of them empty; `side` is `"left"` or `"right"`: where the
# filler goes. Return four tensors for a batch as wide as the longest prompt:
#
# * `tokens` `[B, T]`, int64
# * `real` `[B, T]`, bool: True where a token of the prompt stands. A prompt may contain the filler as a token!
# * `positions` `[B, T]`, int64: each prompt's first token stands at position 0, wherever it lies. Padding gets anything from 0 to T − 1
# * `last` `[B]`, int64: the column of each prompt's last token, where its logits are read
#
# Example: `pad([[5, 6, 7], [8]], 0, "left")` has the tokens `[[5, 6, 7], [0, 0, 8]]`, the second row's 8 stands at position 0, and `last` is `[2, 2]`.

# %% tags=["core", "exercise:07.6"]
def pad(prompts, filler, side):
    """Return tokens, real, positions, last."""
    ### BEGIN SOLUTION
    width = max(len(prompt) for prompt in prompts)
    lengths = torch.tensor([len(prompt) for prompt in prompts])[:, None]       # [B, 1]
    first = width - lengths if side == "left" else 0 * lengths                 # [B, 1]
    column = torch.arange(width)                                               # [T]
    real = (first <= column) & (column < first + lengths)                      # [B, T]
    tokens = torch.full_like(real, filler, dtype=torch.int64)                  # [B, T]
    tokens[real] = torch.tensor([token for prompt in prompts for token in prompt])
    return tokens, real, (column - first) * real, (first + lengths - 1).flatten()
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("07.6")

# %% [markdown] tags=["core", "hints:07.6"]
# <details><summary>Hint 1</summary>Everything follows from two numbers for each row: the column where it begins, and its length.</details>
# <details><summary>Hint 2</summary><code>first</code> is <code>width - length</code> on the left and 0 on the right. <code>real</code> is <code>first &lt;= column &lt; first + length</code>, never <code>tokens != filler</code>.</details>
# <details><summary>Hint 3</summary>Positions are <code>column - first</code> where <code>real</code>, else 0. <code>last</code> is <code>first + length - 1</code>.</details>

# %% [markdown] tags=["core"]
# ## What you take with you
#
# You know what may be read (the length, not the content), where a request lives (the map, not the order), who wrote what you read (the tag,
# not the name), how to take back your own steps and nobody else's, and which oracle to ask. Unit 08 cuts the slots into blocks, and then
# requests share them on purpose.
