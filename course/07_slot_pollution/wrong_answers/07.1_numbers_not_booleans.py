# exercise: 07.1
# reason: wrong-shape
# passes the visible example: no
# story: ones and zeros instead of True and False
def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1])
    query = lengths[slots][:, None] - q_len + torch.arange(q_len)
    return (place <= query[..., None]).long()
