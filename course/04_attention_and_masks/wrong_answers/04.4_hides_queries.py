# exercise: 04.4
# reason: loses-the-past
# passes the visible example: no
# story: hides the rows of padding instead of its columns as well
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    return causal & tokens[:, None, None, :] & tokens[:, None, -q_len:, None]
