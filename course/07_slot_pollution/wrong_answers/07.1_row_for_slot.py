# exercise: 07.1
# reason: row-is-not-slot
# passes the visible example: yes
# story: takes the row's number for the slot's
def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1])
    query = lengths[:len(slots), None] - q_len + torch.arange(q_len)
    return place <= query[..., None]
