# exercise: 04.4
# reason: changes-its-input
# passes the visible example: no
# story: works out the table, and leaves the tokens of the caller all True
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    place = torch.arange(kv_len)
    query = place[kv_len - q_len:, None]
    mask = (place <= query) & tokens[:, None, None, :]
    table = mask | (~mask.any(-1, keepdim=True) & (place == query))
    tokens |= True
    return table
