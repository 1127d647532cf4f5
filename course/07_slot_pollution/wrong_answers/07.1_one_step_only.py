# exercise: 07.1
# reason: wrong-shape
# passes the visible example: yes
# story: only for a single query
def may_read(pool, slots, lengths, q_len):
    return (torch.arange(pool.shape[1]) < lengths[slots][:, None])[:, None]
