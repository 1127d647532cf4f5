# exercise: 04.4
# reason: inverted
# passes the visible example: no
# story: the convention of nn.MultiheadAttention
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    future = torch.ones(q_len, kv_len, dtype=torch.bool).triu(kv_len - q_len + 1)
    blocked = future | ~tokens[:, None, None, :]
    own = torch.ones(q_len, kv_len).triu(kv_len - q_len).tril(kv_len - q_len).bool()
    return blocked & ~(blocked.all(-1, keepdim=True) & own)
