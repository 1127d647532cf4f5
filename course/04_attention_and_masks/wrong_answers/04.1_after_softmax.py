# exercise: 04.1
# reason: future-in-the-denominator
# passes the visible example: no
# story: cuts the weights off after the softmax
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    return scores.softmax(-1).tril(kv_len - q_len)
