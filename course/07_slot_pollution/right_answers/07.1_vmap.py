# exercise: 07.1
# mechanism: written for one row, mapped over all
def may_read(pool, slots, lengths, q_len):
    def row(length):
        return torch.arange(pool.shape[1]) < (length - q_len + 1 + torch.arange(q_len))[:, None]

    return torch.vmap(row)(lengths[slots])
