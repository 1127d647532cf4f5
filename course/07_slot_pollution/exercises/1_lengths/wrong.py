"""Wrong answers to exercise 07.1: why each is rejected, whether it passes the lab's example, its story."""

# %% sees-the-future | visible: yes | each query of a prompt reads all that is valid
def may_read(pool, slots, lengths, q_len):
    valid = torch.arange(pool.shape[1]) < lengths[slots][:, None]
    return valid[:, None].expand(-1, q_len, -1)

# %% changes-its-input | visible: no | shortens the lengths in place
def may_read(pool, slots, lengths, q_len):
    lengths -= q_len
    query = lengths[slots][:, None] + torch.arange(q_len)
    return torch.arange(pool.shape[1]) <= query[..., None]

# %% loses-the-past | visible: yes | counts the queries from the first place of the slot when there are several
def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1])
    if q_len == 1:
        return (place < lengths[slots][:, None])[:, None]
    return (place <= torch.arange(q_len)[:, None]).expand(len(slots), -1, -1)

# %% reads-stale | visible: no | one length for the whole batch, the longest
def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1])
    query = lengths[slots].max() - q_len + torch.arange(q_len)
    return (place <= query[:, None]).expand(len(slots), -1, -1)

# %% wrong-shape | visible: no | ones and zeros instead of True and False
def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1])
    query = lengths[slots][:, None] - q_len + torch.arange(q_len)
    return (place <= query[..., None]).long()

# %% loses-the-past | visible: yes | saves memory: places and lengths in one byte each
def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1]).to(torch.uint8)
    query = lengths[slots][:, None] - q_len + torch.arange(q_len)
    return place <= query.to(torch.uint8)[..., None]

# %% reads-stale | visible: no | compares with the length, not with the last place
def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1])
    query = lengths[slots][:, None] - q_len + 1 + torch.arange(q_len)
    return place <= query[..., None]

# %% wrong-shape | visible: yes | only for a single query
def may_read(pool, slots, lengths, q_len):
    return (torch.arange(pool.shape[1]) < lengths[slots][:, None])[:, None]

# %% reads-stale | visible: yes | computes once for each shape
known = {}

def may_read(pool, slots, lengths, q_len):
    shape = (len(slots), q_len, pool.shape[1])
    if shape not in known:
        place = torch.arange(pool.shape[1])
        query = lengths[slots][:, None] - q_len + torch.arange(q_len)
        known[shape] = place <= query[..., None]
    return known[shape]

# %% row-is-not-slot | visible: yes | takes the row's number for the slot's
def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1])
    query = lengths[:len(slots), None] - q_len + torch.arange(q_len)
    return place <= query[..., None]

# %% loses-the-past | visible: yes | keeps one table for all its calls and hands it out each time
tables = {}

def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1])
    query = lengths[slots][:, None] - q_len + torch.arange(q_len)
    table = tables.setdefault((len(slots), q_len, len(place)), torch.empty(len(slots), q_len, len(place), dtype=torch.bool))
    return table.copy_(place <= query[..., None])

# %% guesses-from-content | visible: yes | a place that is not zero has been written
def may_read(pool, slots, lengths, q_len):
    return (pool[slots] != 0)[:, None].expand(-1, q_len, -1)

# %% reads-stale | visible: no | the slot is mine, so I read all of it
def may_read(pool, slots, lengths, q_len):
    return torch.ones(len(slots), q_len, pool.shape[1], dtype=torch.bool)

# %% loses-the-past | visible: yes | the right length, and zeros left out on top
def may_read(pool, slots, lengths, q_len):
    place = torch.arange(pool.shape[1])
    query = lengths[slots][:, None] - q_len + torch.arange(q_len)
    return (place <= query[..., None]) & (pool[slots] != 0)[:, None]

# %% loses-the-past | visible: yes | takes a number below zero for the mark of an empty place
def may_read(pool, slots, lengths, q_len):
    query = lengths[slots][:, None] - q_len + torch.arange(q_len)
    m = torch.arange(pool.shape[1]) <= query[..., None]
    return m & (pool[slots] >= 0)[:, None]
