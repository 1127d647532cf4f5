# exercise: 04.4
# reason: top-left
# passes the visible example: yes
# story: counts from the top left corner
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril()
    mask = causal & tokens[:, None, None, :]
    own = torch.eye(q_len, kv_len, dtype=torch.bool)
    return mask | (~mask.any(-1, keepdim=True) & own)
