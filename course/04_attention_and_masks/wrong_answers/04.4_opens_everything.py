# exercise: 04.4
# reason: sees-the-future
# passes the visible example: yes
# story: lets an empty row look everywhere
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    mask = causal & tokens[:, None, None, :]
    return mask | ~mask.any(-1, keepdim=True)
