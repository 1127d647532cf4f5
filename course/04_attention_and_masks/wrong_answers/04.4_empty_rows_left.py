# exercise: 04.4
# reason: empty-row
# passes the visible example: yes
# story: joins by and, and leaves empty rows empty
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    return causal & tokens[:, None, None, :]
