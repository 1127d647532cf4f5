# exercise: 04.4
# reason: empty-row
# passes the visible example: yes
# story: opens an empty row at the diagonal of the top left corner
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    mask = causal & tokens[:, None, None, :]
    own = torch.eye(q_len, kv_len, dtype=torch.bool)
    return mask | (~mask.any(-1, keepdim=True) & own & (q_len < kv_len))
