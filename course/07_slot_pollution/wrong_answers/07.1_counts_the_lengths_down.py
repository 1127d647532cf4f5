# exercise: 07.1
# reason: changes-its-input
# passes the visible example: no
# story: shortens the lengths in place
def may_read(pool, slots, lengths, q_len):
    lengths -= q_len
    query = lengths[slots][:, None] + torch.arange(q_len)
    return torch.arange(pool.shape[1]) <= query[..., None]
