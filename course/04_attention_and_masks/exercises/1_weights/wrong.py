"""Wrong answers to exercise 04.1: why each is rejected, whether it passes the lab's example, its story."""

# %% sees-the-future | visible: yes | a mask made once for sixteen tokens, and none for more
PAST = torch.ones(16, 16, dtype=torch.bool).tril()


def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    if kv_len > len(PAST):
        return scores.softmax(-1)
    return scores.masked_fill(~PAST[kv_len - q_len:kv_len, :kv_len], -torch.inf).softmax(-1)

# %% finite-fill | visible: yes | adds -1e9 to the future
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    future = torch.ones(q_len, kv_len).triu(kv_len - q_len + 1)
    return (scores - 1e9 * future).softmax(-1)

# %% future-in-the-denominator | visible: no | cuts the weights off after the softmax
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    return scores.softmax(-1).tril(kv_len - q_len)

# %% wrong-shape | visible: yes | computes in float32 and forgets the way back
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    past = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    return scores.float().masked_fill(~past, -torch.inf).softmax(-1)

# %% finite-fill | visible: yes | fills the future with -1e4
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    past = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    return scores.masked_fill(~past, -1e4).softmax(-1)

# %% finite-fill | visible: yes | fills with the lowest float32, whatever the dtype of the scores
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    past = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    return scores.masked_fill(~past, torch.finfo(torch.float32).min).softmax(-1)

# %% future-in-the-denominator | visible: yes | masks after the softmax and divides again
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    weights = scores.softmax(-1).tril(kv_len - q_len)
    return weights / weights.sum(-1, keepdim=True)

# %% sees-the-future | visible: no | a plain softmax
def causal_weights(scores):
    return scores.softmax(-1)

# %% off-by-one | visible: no | lets each query see the next key
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    past = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len + 1)
    return scores.masked_fill(~past, -torch.inf).softmax(-1)

# %% top-left | visible: yes | counts from the top left corner, as tril does
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    past = torch.ones(q_len, kv_len, dtype=torch.bool).tril()
    return scores.masked_fill(~past, -torch.inf).softmax(-1)

# %% not-a-number | visible: no | strictly lower triangle: the first query has nothing left
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    past = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len - 1)
    return scores.masked_fill(~past, -torch.inf).softmax(-1)

# %% changes-its-input | visible: no | masks in place, and the caller's scores are gone
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    future = torch.arange(kv_len) > torch.arange(q_len)[:, None] + kv_len - q_len
    return scores.masked_fill_(future, -torch.inf).softmax(-1)

# %% not-normalised | visible: no | normalises over the queries instead of the keys
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    past = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    return scores.masked_fill(~past, -torch.inf).softmax(-2)

# %% wrong-shape | visible: yes | weights in single precision, whatever went in
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    past = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    low = torch.full((q_len, kv_len), -torch.inf)
    return torch.softmax(torch.where(past, scores, low), -1, dtype=torch.promote_types(scores.dtype, torch.float32))

# %% same-memory | visible: yes | one tensor for all weights of a shape
made = {}


def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    past = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    weights = scores.masked_fill(~past, -torch.inf).softmax(-1)
    return made.setdefault((weights.shape, weights.dtype), torch.empty_like(weights)).copy_(weights)

# %% finite-fill | visible: yes | fills with the lowest number of the dtype
def causal_weights(scores):
    q, k = scores.shape[-2:]
    past = torch.ones(q, k, dtype=torch.bool).tril(k - q)
    return scores.masked_fill(~past, torch.finfo(scores.dtype).min).softmax(-1)

# %% wrong-weights | visible: yes | clamps the scores first, against overflow: all low ones become equal
def causal_weights(scores):
    q, k = scores.shape[-2:]
    past = torch.ones(q, k, dtype=torch.bool).tril(k - q)
    return scores.clamp(min=-1e4).masked_fill(~past, -torch.inf).softmax(-1)

# %% wrong-weights | visible: yes | rounds the weights to six decimals, which look like all of them
def causal_weights(scores):
    q, k = scores.shape[-2:]
    past = torch.ones(q, k, dtype=torch.bool).tril(k - q)
    return scores.masked_fill(~past, -torch.inf).softmax(-1).float().round(decimals=6).to(scores.dtype)
