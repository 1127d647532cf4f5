# exercise: 07.1
# reason: loses-the-past
# passes the visible example: yes
# story: saves memory: places and lengths in one byte each
def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1]).to(torch.uint8)
    query = lengths[slots][:, None] - q_len + torch.arange(q_len)
    return place <= query.to(torch.uint8)[..., None]
