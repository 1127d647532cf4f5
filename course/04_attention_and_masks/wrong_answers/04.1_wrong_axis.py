# exercise: 04.1
# reason: not-normalised
# passes the visible example: no
# story: normalises over the queries instead of the keys
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    past = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    return scores.masked_fill(~past, -torch.inf).softmax(-2)
