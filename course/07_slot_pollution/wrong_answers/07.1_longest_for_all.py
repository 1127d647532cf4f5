# exercise: 07.1
# reason: reads-stale
# passes the visible example: no
# story: one length for the whole batch, the longest
def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1])
    query = lengths[slots].max() - q_len + torch.arange(q_len)
    return (place <= query[:, None]).expand(len(slots), -1, -1)
