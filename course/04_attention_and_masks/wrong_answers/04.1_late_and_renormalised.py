# exercise: 04.1
# reason: future-in-the-denominator
# passes the visible example: yes
# story: masks after the softmax and divides again
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    weights = scores.softmax(-1).tril(kv_len - q_len)
    return weights / weights.sum(-1, keepdim=True)
