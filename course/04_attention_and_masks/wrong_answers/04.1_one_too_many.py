# exercise: 04.1
# reason: off-by-one
# passes the visible example: no
# story: lets each query see the next key
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    past = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len + 1)
    return scores.masked_fill(~past, -torch.inf).softmax(-1)
