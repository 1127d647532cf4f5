# exercise: 07.1
# reason: loses-the-past
# passes the visible example: yes
# story: counts the queries from the first place of the slot when there are several
def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1])
    if q_len == 1:
        return (place < lengths[slots][:, None])[:, None]
    return (place <= torch.arange(q_len)[:, None]).expand(len(slots), -1, -1)
