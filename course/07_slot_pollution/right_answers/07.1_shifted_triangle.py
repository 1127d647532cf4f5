# exercise: 07.1
# mechanism: a lower triangle for each row
def may_read(pool, slots, lengths, q_len):
    ones = torch.ones(q_len, pool.shape[1], dtype=torch.bool)
    return torch.stack([ones.tril(int(lengths[slot]) - q_len) for slot in slots])
