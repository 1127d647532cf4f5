# exercise: 04.1
# reason: finite-fill
# passes the visible example: yes
# story: fills with the lowest float32, whatever the dtype of the scores
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    past = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    return scores.masked_fill(~past, torch.finfo(torch.float32).min).softmax(-1)
