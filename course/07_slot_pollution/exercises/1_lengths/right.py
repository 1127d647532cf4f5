"""Right answers to exercise 07.1, each by another mechanism."""

# %% three loops over plain numbers
def may_read(pool, slots, lengths, q_len):
    mask = torch.zeros(len(slots), q_len, pool.shape[1], dtype=torch.bool)
    for row, slot in enumerate(slots.tolist()):
        for query in range(q_len):
            mask[row, query, :int(lengths[slot]) - q_len + query + 1] = True
    return mask

# %% a lower triangle for each row
def may_read(pool, slots, lengths, q_len):
    ones = torch.ones(q_len, pool.shape[1], dtype=torch.bool)
    return torch.stack([ones.tril(int(lengths[slot]) - q_len) for slot in slots])

# %% two masks joined: what is valid, and what is not later
def may_read(pool, slots, lengths, q_len):
    capacity = pool.shape[1]
    valid = lengths[slots][:, None, None]
    age = valid - 1 - torch.arange(capacity)                 # how many tokens came after this place
    newer = torch.arange(q_len).flip(0)[:, None]
    return (age >= 0) & (age >= newer)

# %% written for one row, mapped over all
def may_read(pool, slots, lengths, q_len):
    def row(length):
        return torch.arange(pool.shape[1]) < (length - q_len + 1 + torch.arange(q_len))[:, None]

    return torch.vmap(row)(lengths[slots])
