# %% [markdown] tags=["core"]
# # Lab 06 · The KV cache
#
# *Six exercises, about 64 minutes. Little time? Do the first and the fourth.*
#
# Write your answer where it says `# your code here`, and run the check below it. A check tells you what is wrong with *your*
# answer. Don't change what you are given: it belongs to the caller. What you return is new in each call: nobody else holds the
# same tensor or list. The hints are folded, and the third one nearly gives it away. Your progress is kept in `my-labs/`.

# %% tags=["core", "setup"]
import torch

from sharedstate.checks import check
from sharedstate.kvcache import DoesNotFit
from sharedstate.model import attention, causal_mask
from sharedstate.workspace import where_am_i

torch.set_num_threads(1)
where_am_i()

# %% [markdown] tags=["core"]
# ## 06.1 A layer's box
#
# *10 minutes · difficulty 2 of 3 · 3 points*
#
# Write the box of one layer, for one text. A new box is empty.
#
# * `append(k, v)` takes the keys and values of new tokens, each [H_kv, T, D], and keeps them after the older ones. The caller uses its
#   tensors again: what it writes into them later must not change the box.
# * `attend(q)` takes the queries [H, T, D] of the **last** T tokens in the box, whatever pieces they came in, and returns their answers
#   [H, T, D]. Each sees its own token and all before it, none after it. Calling `attend` changes neither the box
#   nor an answer given earlier.
#
# All tensors of one text have one dtype, 16, 32 or 64 bits, and the answers have it too. Scores may be as low as they like.
# There may be fewer KV heads than query heads. You have `attention(q, k, v, mask)`, which knows that and wants a batch axis in front, and
# `causal_mask(q_len, kv_len)`, which counts from the bottom right.
#
# Example: three tokens, one at a time; the answers are those of causal attention over the three.

# %% tags=["core", "exercise:06.1"]
class LayerCache:
    """The keys and values of one layer and one text."""

    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        """Keep keys and values [H_kv, T, D] of new tokens."""
        ### BEGIN SOLUTION
        self.pieces.append((k.clone(), v.clone()))
        ### END SOLUTION

    def attend(self, q):
        """Return the answers [H, T, D] to the queries of the last T tokens."""
        ### BEGIN SOLUTION
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1]).to(q.device)
        return attention(q[None], keys[None], values[None], mask)[0]
        ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("06.1")

# %% [markdown] tags=["core", "hints:06.1"]
# <details><summary>Hint 1</summary>Keep a list of pieces, and join them when you are asked. Or keep one tensor and make a longer one each time.</details>
# <details><summary>Hint 2</summary>Tokens are axis 1 here. A tensor that you only store is still the caller's: <code>k.clone()</code> is yours.</details>
# <details><summary>Hint 3</summary>Join with <code>torch.cat(…, 1)</code>, then <code>attention(q[None], keys[None], values[None], causal_mask(q.shape[1], keys.shape[1]))[0]</code>.</details>

# %% [markdown] tags=["core"]
# ## 06.2 Write on, feed once
#
# *8 minutes · difficulty 1 of 3 · 2 points*
#
# `machine` is a model with a cache. `machine.new_box()` gives an empty box, `machine.step(box, tokens)` feeds a list of tokens after what
# the box holds and returns the logits for the token after them: a list with a number for each token, from 0 on.
#
# Write `decode(machine, prompt, count, stop)`. It returns the list of new tokens.
#
# * Each is the one with the largest logit, and there are at most `count` of them.
# * The first token equal to `stop` is the last one, and belongs to the answer; None stops nothing.
# * Every text gets a new box, and the prompt is fed in one go.
# * **No token is fed twice or for nothing**: the last one needs no successor, so it is not fed back.
#
# Example: prompt `[1, 2, 3]`, four tokens. Four calls of `step`: the prompt, then three single tokens.
#
# To try things out, here is a toy: its next token is the sum of all that the box holds, modulo 7. It says what it is fed.

# %% tags=["core"]
class Toy:
    def new_box(self):
        return []

    def step(self, box, tokens):
        print("fed", tokens)
        box += tokens
        return [-float((token - sum(box)) % 7) for token in range(7)]

# %% tags=["core", "exercise:06.2"]
def decode(machine, prompt, count, stop):
    """Return at most `count` new tokens; `stop` ends the text."""
    ### BEGIN SOLUTION
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < count and stop not in new:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
    return new
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("06.2")

# %% [markdown] tags=["core", "hints:06.2"]
# <details><summary>Hint 1</summary>One loop is enough. What is to be fed next is the prompt at first, and the newest token later.</details>
# <details><summary>Hint 2</summary>Feed at the <em>beginning</em> of a turn, and only if another token is wanted. Then the last one is never fed.</details>
# <details><summary>Hint 3</summary><code>while len(new) &lt; count and stop not in new:</code> feed <code>fresh</code>, take <code>logits.index(max(logits))</code>, and let <code>fresh</code> be the list of that one token.</details>

# %% [markdown] tags=["core"]
# ## 06.3 Which cards go stale?
#
# *10 minutes · difficulty 3 of 3 · 3 points*
#
# `mask[i][j]` says whether word `i` looks at word `j`, the same in every layer. A box holds the keys of the first `old` words, made when there
# were no others. Now the rest is added. Write `stale(mask, old, layers)`: for each layer, the sorted list of old words whose key would now
# come out differently.
#
# Whatever can influence a key, does. A key of layer 0 is made from its own word alone. In each layer a word hears those it looks at, and
# knows from then on what they knew before that layer.
#
# Example: a causal mask of six words, four old ones, three layers: `[[], [], []]`.

# %% tags=["core", "exercise:06.3"]
def stale(mask, old, layers):
    """Return, for each layer, the sorted places of the old words whose key changes."""
    ### BEGIN SOLUTION
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed))
        news = changed | set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
    return found
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("06.3")

# %% [markdown] tags=["core", "hints:06.3"]
# <details><summary>Hint 1</summary>Go through the layers from below, and keep the set of old words that know something new.</details>
# <details><summary>Hint 2</summary>A word learns something new if it looks at a new word, or at an old one that had learned something already. Note the set <em>before</em> the layer's attention: the key is made first.</details>
# <details><summary>Hint 3</summary>In each layer: append <code>sorted(changed)</code>, then let <code>changed</code> be the set of all <code>i &lt; old</code> that look at a <code>j</code> with <code>j in changed or j &gt;= old</code>.</details>

# %% [markdown] tags=["core"]
# ## 06.4 A planner that refuses
#
# *10 minutes · difficulty 2 of 3 · 3 points*
#
# Write `plan(shape, length, running, weights, device)`. `shape` is a dict: `layers`, `heads`, `kv_heads`, `head_dim`, `bytes` (of one number).
# `running` says how many requests run at the same time, hour by hour. Every one of them may grow to `length` tokens. `weights` and
# `device` are bytes. A quarter of the device must stay free.
#
# If the fullest hour fits, return the bytes of its cache. If not, `raise DoesNotFit(message, batch, length)`: the largest number of requests of
# this length that would fit, and the longest length that would fit at the peak (0 where nothing would). All whole numbers, exact to the byte.
#
# Example: 32 layers, 32 heads of 128 in 2 bytes, 4,096 tokens, `running=[2, 3, 4]`, 13 GiB of weights on 32 GiB: the cache takes 8 GiB and fits.

# %% tags=["core", "exercise:06.4"]
def plan(shape, length, running, weights, device):
    """Return the bytes of the cache at the peak, or raise DoesNotFit."""
    ### BEGIN SOLUTION
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("06.4")

# %% [markdown] tags=["core", "hints:06.4"]
# <details><summary>Hint 1</summary>First the bytes of one token, then everything else is multiplication and division.</details>
# <details><summary>Hint 2</summary>Keys <em>and</em> values, of the <em>KV</em> heads. What is left for the cache is three quarters of the device, less the weights, and never below 0.</details>
# <details><summary>Hint 3</summary><code>room = max(0, device * 3 // 4 - weights)</code>. It holds <code>room // (token * length)</code> requests, or <code>room // (token * max(running))</code> tokens in each.</details>

# %% [markdown] tags=["core"]
# ## 06.5 A cost model
#
# *10 minutes · difficulty 2 of 3 · 3 points*
#
# Write `step_cost(shape, context, cached)`: the operations of the step that makes the logits after `context` tokens. `shape` is a dict:
# `layers`, `d_model`, `heads`, `kv_heads`, `d_hidden`, `vocab`. Return a dict of four whole numbers:
#
# * `projections`: q and o ([d_model, d_model]), k and v (narrower, with grouped heads),
# * `attention`: the scores of each query with each key, and the mix of the values. A mask saves nothing;
# * `feed_forward`: gate, up and down, each d_model × d_hidden,
# * `head`: the logits, once, after the last layer.
#
# A product of one row with a matrix of n × m costs 2 · n · m. With a cache one row passes through the model, without one `context` rows.
#
# Example: 3 layers, d_model 8, 4 heads, 4 KV heads, d_hidden 24, vocab 10, five tokens, cached: projections 1536, attention 480.

# %% tags=["core", "exercise:06.5"]
def step_cost(shape, context, cached):
    """Return the operations of one step, by part."""
    ### BEGIN SOLUTION
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 4 * d * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("06.5")

# %% [markdown] tags=["core", "hints:06.5"]
# <details><summary>Hint 1</summary>Write the cost of one row of one layer first. Then multiply by rows and layers. The head has no layers.</details>
# <details><summary>Hint 2</summary>Each query head compares its query with <em>every</em> key of the context: over all heads that is d_model × context, and the same again for the values.</details>
# <details><summary>Hint 3</summary>With <code>kv = d_model // heads * kv_heads</code>, one row of one layer costs 2 · (2 d² + 2 d · kv), 2 · (2 d · context) and 2 · (3 d · d_hidden).</details>

# %% [markdown] tags=["core"]
# And the measurement? torch counts the operations of a real model. The next cell does, without a cache; put your model beside it.

# %% tags=["core"]
from torch.utils.flop_counter import FlopCounterMode

from sharedstate.model import GPT, GPTConfig

shape = {"layers": 3, "d_model": 32, "heads": 4, "kv_heads": 2, "d_hidden": 80, "vocab": 50}
real = GPT(GPTConfig(vocab_size=50, num_layers=3, d_model=32, num_heads=4, num_kv_heads=2, d_hidden=80))
with FlopCounterMode(display=False) as counter:
    real(torch.zeros(1, 40, dtype=torch.long))
mine = step_cost(shape, 40, cached=False)
print("counted:", counter.get_total_flops(), " your model:",
      sum(mine.values()) if mine else "nothing yet (06.5)")

# %% [markdown] tags=["core"]
# ## 06.6 Many texts, one step
#
# *16 minutes · difficulty 3 of 3 · 4 points*
#
# A server continues many texts in one step. Write their cache, `BatchCache(rows, kv_heads, capacity, size)`: room for `rows` texts of at most
# `capacity` tokens, in 32-bit floats. At first every row is empty.
#
# `step(rows, q, k, v)` takes one new token for each row that is named, and returns their answers [N, H, D].
#
# * `rows` is a list of N different rows, in any order. Token n belongs to row `rows[n]`: q is [N, H, D], k and v are [N, H_kv, D].
# * Rows have different lengths, and some pause. Rows that are not named stay as they are.
# * A token's **position** is the number of tokens that its own row holds before it. Query and key are turned to that position with
#   `turned`; values are not.
# * Each token sees its own row, itself included, and nothing else: not another row, not a place without a token.
# * There may be fewer KV heads than query heads: neighbouring query heads share one.
# * The caller uses its tensors again after the step, and an answer given earlier does not change.
#
# `release(row)`: the text in this row has ended. The next one in the row begins at position 0 and sees nothing of the old one.
#
# You have `turned(x, positions)`, and `attention(q, k, v, mask)` from 06.1: q is [N, H, Q, D], the mask is True where a query may look
# and must fit [N, H, Q, K].
#
# Example: one row, three tokens, one step each: the answers are those of causal attention over the three.

# %% tags=["core", "setup"]
def turned(x, positions):
    """Rotary positions: turn the channels of x [N, heads, D] in pairs, by angles that grow with positions [N]."""
    half = x.shape[-1] // 2
    angles = positions[:, None, None] / 100 ** (torch.arange(half) / half)  # [N, 1, D / 2]
    one, two = x[..., :half], x[..., half:]
    return torch.cat((one * angles.cos() - two * angles.sin(), one * angles.sin() + two * angles.cos()), -1)

# %% tags=["core", "exercise:06.6"]
class BatchCache:
    """Keys and values of many texts, a row each."""

    def __init__(self, rows, kv_heads, capacity, size):
        self.keys = torch.zeros(rows, kv_heads, capacity, size)
        self.values = torch.zeros(rows, kv_heads, capacity, size)
        self.lengths = torch.zeros(rows, dtype=torch.long)

    def step(self, rows, q, k, v):
        """Add one token to each of these rows; return their answers [N, H, D]."""
        ### BEGIN SOLUTION
        at = self.lengths[rows]                     # where each new token stands, [N]
        self.keys[rows, :, at] = turned(k, at)
        self.values[rows, :, at] = v
        self.lengths[rows] = at + 1
        place = torch.arange(self.keys.shape[2])
        mask = place <= at[:, None, None, None]     # [N, 1, 1, capacity]
        found = attention(turned(q, at)[:, :, None], self.keys[rows], self.values[rows], mask)
        return found[:, :, 0]
        ### END SOLUTION

    def release(self, row):
        """Forget the text in this row."""
        ### BEGIN SOLUTION
        self.lengths[row] = 0
        ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("06.6")

# %% [markdown] tags=["core", "hints:06.6"]
# <details><summary>Hint 1</summary>One row first: 06.1 with positions. Then ask of every number in it: is it one for the batch, or one for each row? There is only one that differs from row to row, and it is used three times.</details>
# <details><summary>Hint 2</summary><code>at = self.lengths[rows]</code> is where each new token stands, where its key is written, and the last place that it may look at.</details>
# <details><summary>Hint 3</summary>A list of rows and a tensor of places choose one place in each row: <code>self.keys[rows, :, at] = …</code>. The mask is <code>torch.arange(capacity) &lt;= at[:, None, None, None]</code>. To release a row, its length is enough.</details>

# %% [markdown] tags=["core"]
# ## What you take with you
#
# You can keep keys and values so that nobody else writes into them, write on without feeding a token twice, say which cards survive new
# words, refuse what will not fit, predict what a step costs, and continue many texts in one step. Unit 07 puts many texts into one cache, and lets them end at different times.
