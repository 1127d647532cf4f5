# exercise: 07.1
# mechanism: two masks joined: what is valid, and what is not later
def may_read(pool, slots, lengths, q_len):
    capacity = pool.shape[1]
    valid = lengths[slots][:, None, None]
    age = valid - 1 - torch.arange(capacity)                 # how many tokens came after this place
    newer = torch.arange(q_len).flip(0)[:, None]
    return (age >= 0) & (age >= newer)
