# exercise: 04.1
# reason: wrong-shape
# passes the visible example: yes
# story: computes in float32 and forgets the way back
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    past = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    return scores.float().masked_fill(~past, -torch.inf).softmax(-1)
