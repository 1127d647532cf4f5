# exercise: 04.4
# reason: sees-padding
# passes the visible example: yes
# story: keeps the table of a shape for the next batch of that shape: a key that is too coarse
TABLES = {}


def who_may_look(tokens, q_len):
    key = (tuple(tokens.shape), q_len)
    if key not in TABLES:
        kv_len = tokens.shape[1]
        place = torch.arange(kv_len)
        query = place[kv_len - q_len:, None]
        mask = (place <= query) & tokens[:, None, None, :]
        TABLES[key] = mask | (~mask.any(-1, keepdim=True) & (place == query))
    return TABLES[key]
