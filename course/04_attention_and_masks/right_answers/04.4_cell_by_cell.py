# exercise: 04.4
# mechanism: every cell decided in plain Python
def who_may_look(tokens, q_len):
    batch, kv_len = tokens.shape
    mask = torch.zeros(batch, 1, q_len, kv_len, dtype=torch.bool)
    for row in range(batch):
        for query in range(q_len):
            own = kv_len - q_len + query
            seen = [key for key in range(own + 1) if tokens[row, key]]
            mask[row, 0, query, seen or [own]] = True
    return mask
