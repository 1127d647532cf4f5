# exercise: 07.1
# reason: reads-stale
# passes the visible example: no
# story: the slot is mine, so I read all of it
def may_read(pool, slots, lengths, q_len):
    return torch.ones(len(slots), q_len, pool.shape[1], dtype=torch.bool)
