# exercise: 07.1
# reason: loses-the-past
# passes the visible example: yes
# story: keeps one table for all its calls and hands it out each time
tables = {}

def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1])
    query = lengths[slots][:, None] - q_len + torch.arange(q_len)
    table = tables.setdefault((len(slots), q_len, len(place)), torch.empty(len(slots), q_len, len(place), dtype=torch.bool))
    return table.copy_(place <= query[..., None])
