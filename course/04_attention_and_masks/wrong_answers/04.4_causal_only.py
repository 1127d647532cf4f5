# exercise: 04.4
# reason: sees-padding
# passes the visible example: no
# story: forgets the padding
def who_may_look(tokens, q_len):
    batch, kv_len = tokens.shape
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    return causal.expand(batch, 1, -1, -1)
