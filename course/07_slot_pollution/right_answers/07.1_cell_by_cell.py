# exercise: 07.1
# mechanism: three loops over plain numbers
def may_read(pool, slots, lengths, q_len):
    mask = torch.zeros(len(slots), q_len, pool.shape[1], dtype=torch.bool)
    for row, slot in enumerate(slots.tolist()):
        for query in range(q_len):
            mask[row, query, :int(lengths[slot]) - q_len + query + 1] = True
    return mask
