# %% [markdown] tags=["core"]
# # Lab 04 · Attention and masks
#
# *Five exercises, about 62 minutes. In a 90-minute class, do the first two.*
#
# Write your answer where it says `# your code here`, and run the check below it. Your masks are tried on hostile scores and odd
# shapes, not on random ones only; don't change the tensors that you are given. What you return is new in each call: nobody else
# holds the same tensor or list. The hints are folded, and the third one nearly gives it away. Your progress is kept in
# `my-labs/`.

# %% tags=["core", "setup"]
import torch

from sharedstate.checks import check
from sharedstate.workspace import where_am_i

torch.set_num_threads(1)
where_am_i()

# %% [markdown] tags=["core"]
# ## 04.1 Keep the string tied
#
# *12 minutes · difficulty 1 of 3 · 2 points*
#
# `scores` has the shape `[..., q_len, kv_len]`, with `q_len <= kv_len`. The queries are the **newest** tokens: the last query stands at
# the last key. Return the attention weights, of the same shape and dtype. Each query may look at the keys up to its own
# position and at nothing later: the weight of a later key is exactly zero, and a later key must not affect the other weights. The
# weights are as exact as the dtype can hold: nothing is rounded or clamped.
#
# Example: for three queries and three keys with equal scores the weights are `[[1, 0, 0], [½, ½, 0], [⅓, ⅓, ⅓]]`.

# %% tags=["core", "exercise:04.1"]
def causal_weights(scores):
    """Return the weights, [..., q_len, kv_len]: causal, counted from the bottom right."""
    ### BEGIN SOLUTION
    q_len, kv_len = scores.shape[-2:]
    key = torch.arange(kv_len, device=scores.device)
    query = key[kv_len - q_len:, None]
    future = key > query
    return scores.masked_fill(future, -torch.inf).softmax(-1)
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("04.1")

# %% [markdown] tags=["core", "hints:04.1"]
# <details><summary>Hint 1</summary>First a boolean table: which key is later than which query? At which position does query <code>i</code> stand?</details>
# <details><summary>Hint 2</summary>Query <code>i</code> stands at position <code>i + kv_len - q_len</code>. Fill the future <em>before</em> the softmax, with something that no score can undercut.</details>
# <details><summary>Hint 3</summary><code>torch.arange(kv_len) > torch.arange(q_len)[:, None] + kv_len - q_len</code> is the future. <code>masked_fill</code> it with <code>-torch.inf</code>, then <code>softmax(-1)</code>.</details>

# %% [markdown] tags=["core"]
# ## 04.2 Cut without a leak
#
# *10 minutes · difficulty 1 of 3 · 2 points*
#
# Write both directions. `split_heads` turns `[B, S, H * D]` into `[B, H, S, D]`: head 0 gets the first D channels **of every
# position**, head 1 the next D, and so on. `merge_heads` is the way back. The check gives every number a name, so it knows
# where each of them went.
#
# Example: one token `[[[0, 1, 2, 3, 4, 5]]]` and two heads give `[[[[0, 1, 2]], [[3, 4, 5]]]]`.

# %% tags=["core", "exercise:04.2"]
def split_heads(x, heads):
    """[B, S, H * D] -> [B, H, S, D]."""
    ### BEGIN SOLUTION
    batch, length, channels = x.shape
    return x.reshape(batch, length, heads, channels // heads).transpose(1, 2)
    ### END SOLUTION

def merge_heads(x):
    """[B, H, S, D] -> [B, S, H * D]."""
    ### BEGIN SOLUTION
    batch, heads, length, size = x.shape
    return x.transpose(1, 2).reshape(batch, length, heads * size)
    ### END SOLUTION

cut = (split_heads, merge_heads)

# %% tags=["core"]
from sharedstate.checks import check

check("04.2")

# %% [markdown] tags=["core", "hints:04.2"]
# <details><summary>Hint 1</summary>A reshape alone never moves a number: it only counts along the same line. Which axis has to move?</details>
# <details><summary>Hint 2</summary>Cut the last axis in two, <code>[B, S, H, D]</code>. Then exchange the two axes in the middle.</details>
# <details><summary>Hint 3</summary><code>x.reshape(B, S, H, D).transpose(1, 2)</code>, and back: <code>x.transpose(1, 2).reshape(B, S, H * D)</code>.</details>

# %% [markdown] tags=["core"]
# ## 04.3 Find eleven planted masks
#
# *18 minutes · difficulty 3 of 3 · 3 points*
#
# Somebody gives you `attend(q, k, v)`: one head, q is `[Q, D]`, k and v are `[K, D]`, the answer is `[Q, D]`. It should be
# causal, counted from the bottom right. You may call it as often as you like, with any tensors and any lengths (`Q <= K`).
#
# Write `is_wrong(attend)`: True when some answer changes with something later (a **leak**), or ignores something that it must see
# (**lost**).
#
# * Besides the example, eleven wrong masks are planted. Most are from the lesson; three are wrong for some lengths only. A prompt
#   asks with as many queries as keys, decoding with one query, and a kernel works in tiles of sixteen.
# * Right ones are among them, and you must not accuse those: with a right mask, an answer that may not change stays the same to the
#   last bit.
# * Try the head in every call, also one that you have seen before.
#
# Example: the head that ignores masks is wrong; the one that fills with −∞ is not.

# %% tags=["core", "exercise:04.3"]
def is_wrong(attend):
    """Return True when `attend` leaks the future or loses the past."""
    ### BEGIN SOLUTION
    for queries, keys in ((1, 6), (8, 8), (5, 24)):   # decoding, a prompt, more than a tile
        own = torch.arange(keys - queries, keys)
        q, k, v = torch.full((queries, 1), 2e9), -torch.ones(keys, 1), torch.arange(1.0 * keys)[:, None]
        before = attend(q, k, v)                    # every score is -2e9
        for key in range(keys):
            moved_k, moved_v = k.clone(), v.clone()
            moved_k[key], moved_v[key] = 0.0, 100.0     # the moved key has score 0 and another value
            changed = (attend(q, moved_k, moved_v) != before).any(-1)
            if not torch.equal(changed, own >= key):
                return True
    return False
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("04.3")

# %% [markdown] tags=["core", "hints:04.3"]
# <details><summary>Hint 1</summary>Change one key and its value, leave all else. Which answers may change, which must, and which must stay the same to the last bit?</details>
# <details><summary>Hint 2</summary>Random scores miss the finite fills. What if every score lies below all of them? And one pair of lengths is not enough: which lengths does a server ask with?</details>
# <details><summary>Hint 3</summary>One channel is enough. Choose the numbers so that <em>all</em> scores are hopelessly low, then lift one key out of them and change its value too. For which queries must the answer be another one, and for which must it be the same to the last bit? Ask this for every key, and again for other numbers of queries and keys.</details>

# %% [markdown] tags=["core"]
# ## 04.4 Two masks, one table
#
# *12 minutes · difficulty 2 of 3 · 2 points*
#
# `tokens` is `[B, kv_len]`, boolean: True where a row of the batch has a token, False where it is padded, on either side.
# Return `[B, 1, q_len, kv_len]`, boolean, **True where a query may look**: keys that are tokens, up to its own position, the
# last query at the last key. A query that would have nothing to look at is padding itself: let it look at **its own place** and
# nowhere else, so that no NaN arises.
#
# Example: `tokens=[[True, True, False]]`, `q_len=3` gives rows `[1, 0, 0]`, `[1, 1, 0]`, `[1, 1, 0]`.

# %% tags=["core", "exercise:04.4"]
def who_may_look(tokens, q_len):
    """Return the joined mask, boolean, True = may look."""
    ### BEGIN SOLUTION
    kv_len = tokens.shape[1]
    place = torch.arange(kv_len, device=tokens.device)
    query = place[kv_len - q_len:, None]
    mask = (place <= query) & tokens[:, None, None, :]
    empty = ~mask.any(-1, keepdim=True)
    return mask | (empty & (place == query))
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("04.4")

# %% [markdown] tags=["core", "hints:04.4"]
# <details><summary>Hint 1</summary>Two tables: causal <code>[q_len, kv_len]</code> and padding <code>[B, 1, 1, kv_len]</code>. They broadcast. Join them with <code>&amp;</code>.</details>
# <details><summary>Hint 2</summary>Padding hides <em>keys</em>, so it lies along the last axis. A row is empty when <code>mask.any(-1)</code> is False.</details>
# <details><summary>Hint 3</summary><code>mask | (~mask.any(-1, keepdim=True) &amp; (place == query))</code>, where <code>query = place[kv_len - q_len:, None]</code>.</details>

# %% [markdown] tags=["core"]
# ## 04.5 Too good
#
# *10 minutes · difficulty 2 of 3 · 2 points*
#
# A report comes in: `vocab` (V), `tokens` (`"uniform"`: independent and uniform, a fresh batch each step; or `"text"`), the losses
# `train` and `validation` (teacher-forced) and `last` (last position alone, on validation text; None when nobody
# measured it). What does it prove? Return one of
#
# * `"sees the future"`: on uniform tokens a loss below half of what is possible; on text a validation loss below half of `last`
# * `"overfits"`: on text, a training loss below half of the validation loss
# * `"honest"`: neither, with everything measured that would show it
# * `"cannot tell"`: on text without `last`, unless it overfits; on uniform tokens between half and all of what is possible
#
# A model that sees the future may also overfit: then the future is the answer.
#
# Example: `vocab=16`, uniform, `train=0.2`, `validation=0.2`, `last=None` sees the future.

# %% tags=["core", "exercise:04.5"]
def explain(vocab, tokens, train, validation, last):
    """Return "sees the future", "overfits", "honest" or "cannot tell"."""
    ### BEGIN SOLUTION
    import math

    if tokens == "uniform":
        possible = math.log(vocab)
        if train < possible / 2:
            return "sees the future"
        return "cannot tell" if train < possible else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"
    ### END SOLUTION

# %% tags=["core"]
from sharedstate.checks import check

check("04.5")

# %% [markdown] tags=["core", "hints:04.5"]
# <details><summary>Hint 1</summary>What is the lowest loss that an honest model can have on V equally likely tokens?</details>
# <details><summary>Hint 2</summary>ln V. A little below it is luck of one batch; below half of it is proof. On text nobody knows the lowest, so compare <code>validation</code> with <code>last</code>.</details>
# <details><summary>Hint 3</summary>Two branches. Uniform: compare <code>train</code> with <code>math.log(vocab) / 2</code> and <code>math.log(vocab)</code>. Text: first <code>last</code> (if there is one), then overfitting, then <code>"cannot tell"</code> without <code>last</code>.</details>

# %% [markdown] tags=["core"]
# ## What you take with you
#
# You can tie the string, cut heads, join masks, and write the test that finds what others tied wrongly. And you don't
# believe a loss because it is low. Unit 05 isolates in space instead of time; unit 06 keeps the past.
