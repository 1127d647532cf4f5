# exercise: 04.1
# reason: changes-its-input
# passes the visible example: no
# story: masks in place, and the caller's scores are gone
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    future = torch.arange(kv_len) > torch.arange(q_len)[:, None] + kv_len - q_len
    return scores.masked_fill_(future, -torch.inf).softmax(-1)
