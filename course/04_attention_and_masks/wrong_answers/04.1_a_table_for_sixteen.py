# exercise: 04.1
# reason: sees-the-future
# passes the visible example: yes
# story: a mask made once for sixteen tokens, and none for more
PAST = torch.ones(16, 16, dtype=torch.bool).tril()


def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    if kv_len > len(PAST):
        return scores.softmax(-1)
    return scores.masked_fill(~PAST[kv_len - q_len:kv_len, :kv_len], -torch.inf).softmax(-1)
