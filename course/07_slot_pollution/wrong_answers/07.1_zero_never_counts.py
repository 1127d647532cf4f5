# exercise: 07.1
# reason: loses-the-past
# passes the visible example: yes
# story: the right length, and zeros left out on top
def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1])
    query = lengths[slots][:, None] - q_len + torch.arange(q_len)
    return (place <= query[..., None]) & (pool[slots] != 0)[:, None]
