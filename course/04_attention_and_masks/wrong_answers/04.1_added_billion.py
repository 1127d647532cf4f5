# exercise: 04.1
# reason: finite-fill
# passes the visible example: yes
# story: adds -1e9 to the future
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    future = torch.ones(q_len, kv_len).triu(kv_len - q_len + 1)
    return (scores - 1e9 * future).softmax(-1)
