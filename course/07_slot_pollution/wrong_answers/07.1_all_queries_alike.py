# exercise: 07.1
# reason: sees-the-future
# passes the visible example: yes
# story: each query of a prompt reads all that is valid
def may_read(pool, slots, lengths, q_len):
    valid = torch.arange(pool.shape[1]) < lengths[slots][:, None]
    return valid[:, None].expand(-1, q_len, -1)
