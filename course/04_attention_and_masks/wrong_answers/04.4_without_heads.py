# exercise: 04.4
# reason: wrong-shape
# passes the visible example: no
# story: leaves out the axis of the heads
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    mask = causal & tokens[:, None, :]
    return mask | (~mask.any(-1, keepdim=True) & torch.eye(kv_len, dtype=torch.bool)[-q_len:])
