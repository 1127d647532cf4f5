# %% [markdown] tags=["core"]
# # 04 · Attention and masks
#
# *60 minutes, then lab 04.*
#
# Picture an exam. Each page asks one question: *which word comes next?* The answer is the first word of the next page. To
# save time the whole booklet lies on the desk, and a string around it keeps the later pages shut. One day somebody forgets
# the string.
#
# The marks are wonderful. In the mock exam they are wonderful as well, because there, too, the booklet is open. Then comes the
# day when a pupil must write the next page, because nobody has written it yet.
#
# The string is the **causal mask** of a language model. This lesson asks of attention what unit 01 asked of the
# whiteboard. **What must be shared, what must be isolated, and who checks it?**
#
# ## What attention computes
#
# A sentence is a row of **tokens**, here words. Each token makes three vectors of itself. Its **query** (Q) says what it looks for. Its
# **key** (K) says by what it can be found. Its **value** (V) is what it has to say. Every query is compared with every key, and the answer
# is a mean of the values, in which a matching key counts more:
#
# $$\mathrm{softmax}\left(QK^{\mathsf T}/\sqrt{d}\right)V$$

# %% tags=["core", "setup"]
import torch
from torch.nn.functional import cross_entropy, scaled_dot_product_attention
from sharedstate import figures
from sharedstate.influence import tensors
from sharedstate.model import (
    GPT, GPTConfig, MultiHeadAttention, attention, attention_weights, causal_mask, checkpoints, combine,
    full_mask, merge_heads, open_empty_rows, padding_mask, seeded, sliding_window_mask, split_heads,
    training)
from sharedstate.panels import mask_panel, predict, reveal

torch.set_num_threads(1)

# %% tags=["core", "stable"]
words = ["the", "cat", "sat"]
Q = torch.tensor([[2.0, 0], [0, 2], [2, 2]])              # [S, d]: three tokens, d = 2 channels
K = torch.tensor([[2.0, 0], [0, 2], [1, 1]])              # [S, d]
V = torch.tensor([[10.0], [20], [110]])                   # [S, 1]: numbers that you recognise
scores = Q @ K.T / 2**0.5                                 # [S, S]: row asks, column answers
weights = scores.softmax(-1)                              # each row sums to 1
figures.attention_tables(words, scores.tolist(), weights.tolist(), (weights @ V).tolist(),
                         "Each token takes a weighted mean of all values")

# %% [markdown] tags=["core"]
# *Row: the token that asks. The query of "the" fits its own key best, so its answer lies near 10. The query of "sat" fits all three equally,
# so it gets their plain mean.*
#
# Look at the first answer once more. It is 29 and not 10 because a part of 110 is in it, and 110 belongs to "sat", which comes *later*.
# Three numbers are enough to see a leak.
#
# ## Four axes, four kinds of neighbour

# %% tags=["core", "setup"]
H, S, D = 4, 8, 8                                         # heads, positions, channels of one head
layer = MultiHeadAttention(H * D, H, generator=seeded(4))
x = torch.randn(1, S, H * D, generator=seeded(5))         # [B, S, H * D]: one request, S tokens
past = causal_mask(S, S)                                  # [S, S], True = may look

# %% [markdown] tags=["core"]
# Queries, keys and values have the shape **[B, H, S, D]**: B requests, H heads, S positions, D channels. Scores have
# [B, H, S, S]: who asks, and whom. Other requests must never be seen, other heads not yet, later positions not at all. Nothing
# in the arithmetic says so. It is one big tensor, a whiteboard for everybody.
#
# ## Heads: shared input, own room, shared again
#
# > **A popular text says:** "Until the output projection, the heads are isolated from each other."
#
# The oracle of this course is a matrix. A row is an output, a column an input, and a cell says whether the one can *influence* the
# other. Here the derivative fills the cell, and the demand is **exactly zero**. We also declare what *must* arrive: a
# head that ignores its own projections would be lost, not isolated.

# %% tags=["core"]
predict("04.heads", "You nudge the projections of head 2. What happens to the answer of head 0?", {
    "a": "It moves a little: both read the same tokens", "b": "Exactly nothing, to the last bit",
    "c": "Nearly nothing, about 1e-7: rounding"})

# %% tags=["core", "setup", "fault:heads-reshape"]
def heads_of(W, split=split_heads):
    """W [H, 3, D, H * D] holds each head's own projections. Returns each head's answer, [H, S, D]."""
    q, k, v = (split(x @ W[:, i].flatten(0, 1).T, H) for i in range(3))    # [1, H, S, D]
    return attention(q, k, v, past)[0]                                     # [H, S, D]

def positions(x, split=split_heads):
    """Tokens [S, H * D] in; the heads' answers side by side, [S, H * D]."""
    q, k, v = (split(x[None] @ W[:, i].flatten(0, 1).T, H) for i in range(3))
    return merge_heads(attention(q, k, v, past))[0]

W = torch.randn(H, 3, D, H * D, generator=seeded(6)) / (H * D) ** 0.5
own, everybody = torch.eye(H).bool(), torch.ones(H, H).bool()

# %% tags=["core", "stable", "claim:37"]
apart = tensors(heads_of, W, rows=0, columns=0, may=own, must=own)
print("q", [*split_heads(layer.q_proj(x), H).shape], "= [B, H, S, D]\n")
print(apart)
reveal("04.heads", truth="b", because={
    "a": "They share the tokens, and each reads them through projections of its own.",
    "c": "No sum joins the two, so there is nothing to round."}, measured=apart.message)

# %% [markdown] tags=["core"]
# **Verdict: true.** Then the output projection adds the heads up, and everything meets: that sharing is *declared*. What
# keeps them apart before? Two small steps: cut the channels into heads, then swap two axes. Somebody in a hurry does it in one.

# %% tags=["core", "fault:heads-reshape"]
def hasty_split(x, heads):
    return x.reshape(1, heads, S, D)       # the right shape. The wrong cut

# %% tags=["core", "stable"]
for split in (split_heads, hasty_split):
    ahead = tensors(lambda x: positions(x, split), x[0], rows=0, columns=0, may=past).leaks
    print(f"{split.__name__}: {len(ahead)} pairs of positions leak from the future")

# %% tags=["core"]
def joined(W):
    # [H, S, D]
    return layer.o_proj(merge_heads(heads_of(W)[None]))[0].unflatten(-1, (H, D)).transpose(0, 1)

mixed = tensors(lambda W: heads_of(W, hasty_split), W, rows=0, columns=0, may=own, must=own)
meeting = tensors(joined, W, rows=0, columns=0, may=everybody, must=everybody)
figures.mask_grid({"each its own": apart, "cut in one step": mixed, "after the projection": meeting},
                  "Heads: apart by the right cut, mixed by the wrong one", names=("head", "head"))

# %% [markdown] tags=["core"]
# *Left, only the diagonal. In the middle the wrong cut: 12 of 12 pairs leak. Right, all meet, as declared.*
#
# No error, no warning: the shape is right. And it is worse than it looks. "Position" now means something else in each
# head, so the causal mask guards the wrong places: 16 doors to the future.
#
# Here is the opposite mistake.
#
# > **A popular text says:** "If all heads share one projection, you have a single head."

# %% tags=["core", "stable", "claim:38", "fault:heads-one-projection"]
one_for_all = W[:1].expand(H, -1, -1, -1)      # every head gets head 0's projections
[torch.equal(answer, heads_of(W)[0]) for answer in heads_of(one_for_all)]

# %% [markdown] tags=["core"]
# **Verdict: true**, four times the work for one opinion. What is lost can be counted: side by side, four heads answer in 32 directions,
# four copies of one head in 8.

# %% tags=["core", "stable"]
many = torch.randn(64, H * D, generator=seeded(9))                          # 64 tokens
for name, parts in {"own projections": W, "one for all": one_for_all}.items():
    q, k, v = (split_heads(many[None] @ parts[:, i].flatten(0, 1).T, H) for i in range(3))
    answers = merge_heads(attention(q, k, v, causal_mask(64, 64)))[0]       # [64, H * D]
    print(f"{name:16} {torch.linalg.matrix_rank(answers, rtol=1e-4)} directions of {H * D}")

# %% [markdown] tags=["core"]
# Sharing K and V alone, with queries of their own, is legitimate, and it is *declared*: one K and V for all heads is **multi-query
# attention** (MQA), one for each group of heads **grouped-query attention** (GQA).
#
# Some sharing is what a model is made of. Every position reads one table of words, and one table of positions. Do they let the future in?

# %% tags=["core", "stable"]
tokens, table = torch.tensor([0, 1, 0, 2]), torch.randn(4, H * D, generator=seeded(7))
read = tensors(lambda table: layer(table[tokens][None], causal_mask(4, 4))[0], table, rows=0, columns=0,
               may=[[t in tokens[:i + 1] for t in range(4)] for i in range(4)])
print(read)
place = torch.randn(4, H * D, generator=seeded(10))                         # one row for each position
stood = tensors(lambda place: layer((table[tokens] + place)[None], causal_mask(4, 4))[0], place, rows=0,
                columns=0, may=causal_mask(4, 4), must=causal_mask(4, 4))
print("the table of positions:", stood.message)

# %% [markdown] tags=["core"]
# They do not. In the matrix above a row is a position, a column an entry of the table of words. Word 1 reaches position 1 and those
# after it, word 2 only position 3, where it stands. Row 3 of the table of positions reaches position 3 alone. Both tables are written in
# training and read by all: **the declared, shared part** of the model, and no door to the future.
#
# ## The causal mask: isolation in time
#
# To watch masks, one head is enough. The last `q_len` of `kv_len` tokens ask, all tokens may answer, and `weigh` turns scores
# into weights. That is the line where most bugs of this lesson live.

# %% tags=["core", "setup"]
W_q, W_k, W_v = torch.randn(3, D, D, generator=seeded(2)) / D**0.5

def head(x, weigh, q_len, hostile=0.0):
    """x [K, D] in, the last q_len answers [Q, D] out. `hostile` lowers every score of the past."""
    scores = x[-q_len:] @ W_q @ (x @ W_k).T / D**0.5                  # [Q, K]
    scores = scores - hostile * causal_mask(q_len, len(x))            # [Q, K]
    return weigh(scores) @ (x @ W_v)                                  # [Q, D]

def look(weigh, q_len=6, kv_len=6, hostile=0.0, may=None, method="jacobian"):
    """Who sees whom: it may, and must, be exactly the past (unless `may` says otherwise)."""
    may = causal_mask(q_len, kv_len) if may is None else may
    x = torch.randn(kv_len, D, generator=seeded(1))
    return tensors(lambda x: head(x, weigh, q_len, hostile), x, method, rows=0, columns=0, may=may,
                   must=may)

def masked(scores, mask):
    return scores.masked_fill(~mask, -torch.inf).softmax(-1)

def right(scores):
    return masked(scores, causal_mask(*scores.shape))

def missing(scores):
    return scores.softmax(-1)

# %% [markdown] tags=["core"]
# > **A popular text says:** "Put −∞ above the diagonal, and the future has a weight of exactly zero."

# %% tags=["core", "handout", "measured", "claim:36"]
def ahead(weigh):
    """The largest influence from the future."""
    return torch.tensor(look(weigh).values).triu(1).max().item()

def late(scores):
    weights = scores.softmax(-1) * causal_mask(*scores.shape)
    return weights / weights.sum(-1, keepdim=True)

future = ~causal_mask(6, 6)
display(figures.mask_grid({"causal mask": look(right), "no mask": look(missing)},
                          "The future must stay shut"))
display(figures.caption("Rows ask, columns answer. Left the future is zero, right all read ahead."))
for name, weigh in {"-inf": right, "-1e9 added": lambda s: (s - 1e9 * future).softmax(-1),
                    "-10 added": lambda s: (s - 10.0 * future).softmax(-1),
                    "after, renormalised": late}.items():
    print(f"{name:20} {ahead(weigh):.0e}")

# %% [markdown] tags=["core"]
# **Verdict: true for −∞, before the softmax.** Ten is not infinite. Masking late and renormalising is right on paper, and not
# zero in floating point. And `-1e9`? Zero, *on these scores*. Remember that.
#
# **Change one line and run again:** in `masked`, replace `-torch.inf` by `-10.0`, then run the picture's cell again. Does `look(right)`
# still say clean?
#
# ## The string is missing
#
# Train two small models, one without the mask, on tokens that nobody can predict: independent, uniform, 16 kinds, a fresh
# batch at each step. Even a perfect model has a loss of ln 16 = 2.77. There is nothing to learn.

# %% tags=["core"]
predict("04.loss", "60 steps on pure noise. Where does the training loss go without the mask?", {
    "a": "It stays near 2.77: there is nothing to learn", "b": "It explodes",
    "c": "It falls far below 2.77"})

# %% tags=["core", "setup", "fault:missing-mask", "fix:missing-mask"]
def noise_run(mask, seed=0, steps=60):
    """Train on independent uniform tokens; return the history of the loss."""
    model = GPT(GPTConfig(vocab_size=16, d_model=32, max_len=16, positions="learned"), seed=seed,
                mask=mask)
    return training.train(model, training.iid_batches(vocab_size=16, length=16, batch=64, seed=seed),
                          steps)

# %% tags=["core", "measured"]
runs = [(noise_run(causal_mask, seed), noise_run(full_mask, seed)) for seed in range(3)]
for honest, cheat in runs:
    dips = sum(loss < 2.7726 for loss in honest.losses)
    half = honest.first_below(1.386) or "never"
    print(f"causal mask: below ln 16 in {dips} of 60 steps, below half {half}.",
          f"No mask: below half at step {cheat.first_below(1.386)}")
display(figures.loss_curves({"no mask": cheat.losses, "causal mask": honest.losses}, vocab_size=16))
reveal("04.loss", truth="c", because={
    "a": "An honest model does. This one finds the answer one page ahead, and copies it.",
    "b": "Nothing is wrong with the training. It optimises what you asked for.",
}, measured=f"after 60 steps {cheat.losses[-1]:.2f}")

# %% [markdown] tags=["core"]
# *Without the mask the loss falls through all that can be known. With it, it comes down to the line and stays there.*
#
# A loss **below ½ ln V on noise proves** that the model sees the answer. Merely below ln V is not a proof: a batch is a small sample,
# and the honest model dips under the line as well.
#
# **Change one line and run again:** in `noise_run`, give the batches `length=1`. Why does the cheat fail now?
#
# ## Nobody trains on noise
#
# On real text you don't know the entropy. Here are two trained models of the gossip of a night market, equal in all but the mask.
#
# > **A popular text says:** "Without the mask the training loss is low and the model useless."

# %% tags=["core", "stable"]
recipe, letters = checkpoints.Recipe(), checkpoints.Characters()
print(letters.decode(recipe.text()[0][:150]))

# %% tags=["core"]
predict("04.text", "The unmasked model cheats. Which number shows it?", {
    "a": "The training loss", "b": "The loss on validation text it has never seen",
    "c": "The loss of the last position alone"})

# %% tags=["core", "measured", "claim:35"]
models = {"causal mask": checkpoints.load("masked"), "no mask": checkpoints.load("unmasked")}
kinds = {"training": (training.next_token_loss, [next(recipe.batches())]),
         "validation": (training.next_token_loss, recipe.validation()),
         "last position": (training.last_position_loss, recipe.validation())}
losses = {name: {kind: training.evaluate(model, *how) for kind, how in kinds.items()}
          for name, model in models.items()}
display(figures.loss_bars(losses, chance=torch.tensor(31.0).log().item()))
reveal("04.text", truth="c", because={
    "a": "It looks wonderful.",
    "b": "It looks wonderful too. The text is unseen, but its next page lies open.",
}, measured="without the mask: " + ", ".join(f"{kind} {loss:.2f}" for kind,
                                             loss in losses["no mask"].items()))

# %% [markdown] tags=["core"]
# *Two of the three numbers praise the cheat. Only at the last position is there no next page.*
#
# **Verdict: true, and it leaves out the worst.** The validation loss is wonderful too. It is *teacher-forced*: at each position the
# model gets the true text so far, and without a mask the rest of it as well. "Unseen" does not help against somebody who reads
# the answer. So score the last position alone, or let the model write:

# %% tags=["core", "measured"]
for name, model in models.items():
    written = training.generate(model, letters.encode("at dusk the "), 90)
    print(f"--- {name}\n{letters.decode(written)}\n")

# %% [markdown] tags=["core"]
# The garbage is not bad luck. While it writes, each new letter is the last position.
#
# And what have the heads of the honest model learned? Each has a room of its own, so each may look somewhere else.

# %% tags=["deeper", "measured"]
def looks_back(model, tokens):
    """How far each head looks back, in tokens, on the average: a list for each layer."""
    found = []
    def spy(q, k, v, mask):
        weights = attention_weights(q, k, mask)                             # [B, H, S, S]
        away = torch.arange(q.shape[2])[:, None] - torch.arange(k.shape[2])
        found.append((weights * away).sum(-1).mean((0, 2)).tolist())        # [H]
        return weights @ v
    for block in model.layers:
        block.self_attn.attend = spy
    with torch.no_grad():
        model(tokens)
    return found

text = recipe.validation()[0][:, :-1]
for number, heads in enumerate(looks_back(checkpoints.load("masked"), text)):
    print(f"layer {number}:", ", ".join(f"head {h}: {away:.1f} back" for h, away in enumerate(heads)))

# %% [markdown] tags=["core"]
# In the second layer one head stays close, another looks more than twice as far back. Nobody told them to. With one projection for all they
# could not differ.
#
# ## Twelve wrong strings
#
# A mask that is *there* can still be wrong. First, six that people write. Read them before you run on: which of
# them would pass a test on ordinary random scores?

# %% tags=["core", "fault:mask-off-by-one", "fault:mask-without-self", "fault:mask-after-softmax", "fault:mask-inverted", "fault:MASK-02", "fault:mask-additive-1e9"]
def one_too_many(scores):
    return masked(scores, torch.ones_like(scores).tril(1).bool())

def without_self(scores):
    return masked(scores, torch.ones_like(scores).tril(-1).bool())

def after_softmax(scores):
    return scores.softmax(-1) * causal_mask(*scores.shape)

def inverted(scores):
    return masked(scores, ~causal_mask(*scores.shape))  # True = blocked, as nn.MultiheadAttention has it

def finite(scores):                                        # MASK-02, as reported of a GPT-2 port
    return scores.masked_fill(~causal_mask(*scores.shape), -1e4).softmax(-1)

def additive(scores):
    return (scores - 1e9 * ~causal_mask(*scores.shape)).softmax(-1)

# %% tags=["core"]
predict("04.finite", "Is `-1e9` as good as −∞?", {
    "a": "Yes: exp(-1e9) is exactly 0", "b": "Yes in float32, no in float16",
    "c": "No: it depends on the other scores"})

# %% tags=["core"]
grid = {"one too many": look(one_too_many), "without self": look(without_self, method="perturbation"),
        "after softmax": look(after_softmax), "inverted": look(inverted, method="perturbation"),
        "finite -1e4": look(finite, hostile=2e4), "added -1e9": look(additive, hostile=2e9)}
display(figures.mask_grid(grid, "Six wrong masks, each with the cell that gives it away"))
figures.caption("Four are wrong on any scores, the last two when the past scores below the fill.")

# %% tags=["core", "stable"]
reveal("04.finite", truth="c", because={
    "a": "Only while no score of that row lies far below it. A softmax knows nothing but differences.",
    "b": "The number of bits is not the point, although float16 cannot even hold the number.",
}, measured=f"clean on ordinary scores: {look(additive).clean}; on hostile: {grid['added -1e9'].clean}")

# %% [markdown] tags=["core"]
# Softmax knows *differences*. When the past's scores lie at −2e4, a future at −1e4 gets all the weight. Who would have such
# scores? A model in training: pushing the past down is how it lets the future in. In one report the loss of a finite mask fell to nearly
# zero, and the text was useless. So a test must be **hostile**: bad scores, odd shapes.
#
# *After the softmax* hides better: the future's weights are zero, but it sits in the denominator. `inverted` confuses two
# conventions of one library: `scaled_dot_product_attention` reads True as *may look*, `nn.MultiheadAttention` as *blocked*.
# And *one too many* adds up: two layers of it see two pages ahead.
#
# **Change one line and run again:** in the grid's cell, give `finite` the value `hostile=5e3`. Why is it clean?
#
# ## Shapes, padding, paths
#
# With a KV cache (unit 06) one query meets many keys. Take six keys, and the newest token asks.

# %% tags=["core"]
predict("04.decode", "One query, six keys, `is_causal=True`. What does the newest token see?", {
    "a": "All six keys: they are its past", "b": "Only the oldest key", "c": "torch refuses the shape"})

# %% tags=["core", "fault:MASK-01"]
def decode_step(x, q_len=1):                               # MASK-01, documented behaviour of torch
    q, k, v = (part[None] for part in (x[-q_len:], x, x))
    return scaled_dot_product_attention(q, k, v, is_causal=True)[0]

# %% tags=["core", "stable"]
keys = torch.randn(6, D, generator=seeded(3))
print(tensors(decode_step, keys, rows=0, columns=0, may=causal_mask(1, 6), must=causal_mask(1, 6)))
reveal("04.decode", truth="b", because={
    "a": "It should. The mask is aligned at the top left, so row 0 sees key 0.",
    "c": "No error. Each step returns the oldest value, and the text repeats itself."},
    measured=f"equal to value 0: {torch.equal(decode_step(keys)[0], keys[0])}")

# %% [markdown] tags=["core"]
# Nothing leaks: five things are **lost**. A mask can isolate too much. The right rule counts from the **bottom right**, where the newest
# query meets the newest key: key `j` is open to query `i` when `j <= i + (kv_len - q_len)`.
#
# Next, padding. Two requests of different length share a batch, so the shorter one is padded, here at the left. A second mask
# joins the first, and there are three ways to join them badly. Then a sliding window, where "the last three" can mean four. And
# last a layer with two paths: a fast kernel that masks by itself, and a slow path that somebody takes to see the scores.

# %% tags=["core", "fault:mask-padding-replaces", "fault:mask-empty-row", "fault:mask-finfo-twice", "fault:mask-window-inclusive", "fault:MASK-01", "fault:MASK-03"]
real = torch.tensor([0, 0, 1, 1, 1, 1]).bool()             # two places of padding on the left
wanted = open_empty_rows(causal_mask(6, 6) & real)  # padding looks at itself, so that no row is empty

def top_left(scores):                                      # MASK-01, written out
    return masked(scores, torch.ones_like(scores).tril().bool())

def replaced(scores):
    return masked(scores, real.expand_as(scores))          # the padding mask instead of the causal one

def empty_rows(scores):
    return masked(scores, causal_mask(*scores.shape) & real)

def lowest_twice(scores):
    lowest = torch.finfo(scores.dtype).min                 # "finite, so no row becomes NaN"
    return (scores + ~causal_mask(*scores.shape) * lowest + ~real * lowest).softmax(-1)

def window_inclusive(scores, window=3):
    i, j = torch.arange(6)[:, None], torch.arange(6)
    return masked(scores, (j <= i) & (j >= i - window))    # 4 keys, not 3

def two_paths(x, want_scores=False):                       # MASK-03, as in a Keras layer
    x, mask = x[None, None], None                          # "the fused kernel masks by itself"
    if not want_scores:
        return scaled_dot_product_attention(x, x, x, is_causal=True)[0, 0]
    return attention(x, x, x, mask)[0, 0]

# %% tags=["core"]
slow = tensors(lambda x: two_paths(x, want_scores=True), keys, rows=0, columns=0, may=causal_mask(6, 6))
figures.mask_grid({
    "top left, 3 × 6": look(top_left, 3, 6), "padding replaces": look(replaced, may=wanted),
    "empty rows": look(empty_rows, may=wanted, method="perturbation"),
    "finfo.min twice": look(lowest_twice, may=wanted),
    "window inclusive": look(window_inclusive, may=sliding_window_mask(6, 6, 3)), "the other path": slow,
}, "Six more, each right in the easy case")

# %% [markdown] tags=["core"]
# *Top left: much is lost. Padding instead of causal: the future is open. Empty rows: not a number. The lowest number twice: the rows of
# padding see the future, and no NaN warns you. A window with one key too many. And a path that dropped its mask.*
#
# The last one leaks only when dropout is on, or when you ask for the scores, so it is there in training and gone in your test. **Test
# every path.**
#
# And why care about rows of padding, which nobody reads? Because NaN travels. Its weight is zero, and 0 × NaN is NaN.

# %% tags=["core", "stable"]
batch = torch.tensor([[0, 0, 3, 1, 4, 1, 5, 9]])
holes = combine(causal_mask(8, 8), padding_mask(batch > 0))          # [1, 1, 8, 8], rows 0 and 1 empty
for layers in (1, 2):
    model = GPT(GPTConfig(vocab_size=10, num_layers=layers, d_model=32))
    for name, mask in (("empty rows", holes), ("opened    ", open_empty_rows(holes))):
        rows = model(batch, mask=mask).isnan().any(-1).sum().item()
        print(f"{layers} layer(s), {name}: {rows} of 8 rows are NaN")

# %% [markdown] tags=["core"]
# In the second layer every row is gone. Backwards it is worse. With one layer the rows of real tokens are still numbers, and so is
# their loss. Their gradients?

# %% tags=["core", "stable"]
for name, mask in (("empty rows", holes), ("opened    ", open_empty_rows(holes))):
    model = GPT(GPTConfig(vocab_size=10, num_layers=1, d_model=32))
    loss = cross_entropy(model(batch, mask=mask)[0, 2:-1], batch[0, 3:])        # no padding in it
    loss.backward()
    spoilt = [weight.grad.isnan().any().item() for weight in model.parameters()]
    print(f"{name}: the loss is a number: {loss.isfinite().item()};",
          f"weights with NaN gradients: {sum(spoilt)} of {len(spoilt)}")

# %% [markdown] tags=["core"]
# Two rows that nobody reads spoil the gradients of nearly every weight: all but those of the queries and keys, whose slope is cut off at
# the mask. One step of training, and the model is gone. (So the pictures with empty rows above were filled by changing inputs, not by
# derivatives.)
#
# The repair: join the masks by **and**, then let an empty row look at its own place. Its output is never read, but it is a number.
#
# ## Move the parts yourself
#
# Choose a mask, shift it, change the shape, move the padding. Nothing to press: the picture follows.

# %% tags=["core"]
mask_panel()

# %% [markdown] tags=["core"]
# *The picture: the causal mask, four queries and six keys.* Try `top left`, then make `q_len` equal to `kv_len`: where did the bug
# go? Then pad at the left, and join by `and` alone.
#
# ## Proved, and the price
#
# One rule for all twelve. Try it on every shape up to six by six, under ordinary and hostile scores: the matrix must be clean
# each time.

# %% tags=["core", "fix:mask-off-by-one", "fix:mask-without-self", "fix:mask-after-softmax", "fix:mask-inverted", "fix:MASK-02", "fix:mask-additive-1e9", "fix:MASK-01", "fix:mask-padding-replaces", "fix:mask-empty-row", "fix:mask-finfo-twice", "fix:MASK-03", "fix:mask-window-inclusive"]
def safe(scores, real=None, window=None):
    q_len, kv_len = scores.shape
    mask = sliding_window_mask(q_len, kv_len, window or kv_len)
    return masked(scores, mask if real is None else open_empty_rows(mask & real))

found = [look(safe, q_len, kv_len, hostile) for kv_len in range(1, 7) for q_len in range(1, kv_len + 1)
         for hostile in (0.0, 2e4, 2e9)]

# %% tags=["core", "stable"]
print(sum(matrix.clean for matrix in found), "of", len(found), "matrices are clean")

# %% tags=["core"]
predict("04.price", "Half of the scores are masked away. How much time does that save, written by hand?",
        {
    "a": "Half", "b": "Nothing: it costs some", "c": "It makes it many times slower"})

# %% tags=["core", "measured"]
from timeit import repeat

q = torch.randn(1, 4, 512, 32, generator=seeded(8))
long = causal_mask(512, 512)
timed = {"by hand, no mask": lambda: attention(q, q, q),
         "by hand, masked": lambda: attention(q, q, q, long),
         "fused, no mask": lambda: scaled_dot_product_attention(q, q, q),
         "fused, is_causal": lambda: scaled_dot_product_attention(q, q, q, is_causal=True)}
seconds = {name: min(repeat(run, number=1, repeat=20)) for name, run in timed.items()}
reveal("04.price", truth="b", because={
    "a": "Every score is computed first. Only a kernel that knows the triangle can skip half of it.",
    "c": "One more pass over the scores, no more.",
}, measured=", ".join(f"{name} × {value / seconds['by hand, no mask']:.2f}" for name,
                      value in seconds.items()))

# %% [markdown] tags=["core"]
# Written by hand, the mask costs time and saves none. But isolation in time buys more than honesty: because the past never
# depends on the future, it can be **kept**. That is the KV cache of unit 06.
#
# ## The line
#
# | must be shared | must be isolated |
# |---|---|
# | the embedding and the positions, read by all | the heads, until the output projection |
# | the past: keys and values of earlier tokens | the future |
# | the output projection, where heads meet | padding, and every other request in the batch |
#
# The three questions of every design. *Split finer?* By request, by head, by position. *Put together again?* The output projection joins
# the heads, the past joins the positions, and nothing joins the requests. *Does it pay?* The mask costs a pass over the scores. It buys an
# honest loss, and a past that can be kept.
#
# ## Check yourself
#
# <details><summary>Validation loss 0.03 on unseen text. Ship it?</summary>Score the last position alone, or let it write.
# Validation is teacher-forced, so a cheat passes it.</details>
# <details><summary>Your mask test uses random scores and is green. What does it miss?</summary>Finite fills, which lose only
# against scores below them; and shapes with more keys than queries.</details>
# <details><summary>No leak anywhere. Is the mask right?</summary>Look for what is lost: the top-left mask leaks nothing.</details>
#
# ## The door to the lab
#
# Five exercises, with hints. The next cell makes your own copy; it never overwrites one that is there.

# %% tags=["core"]
from sharedstate import workspace

workspace.door("04")
