# exercise: 07.1
# reason: reads-stale
# passes the visible example: no
# story: compares with the length, not with the last place
def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1])
    query = lengths[slots][:, None] - q_len + 1 + torch.arange(q_len)
    return place <= query[..., None]
