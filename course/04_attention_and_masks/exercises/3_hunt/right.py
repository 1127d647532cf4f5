"""Right answers to exercise 04.3, each by another mechanism."""

# %% exchanges the whole future of a query at once, then one value of its past
def is_wrong(attend):
    draw = torch.Generator().manual_seed(1)
    for size in (1.0, 2e9):
        q, k, v = torch.full((4, 1), size), -torch.ones(8, 1), torch.randn(8, 1, generator=draw)
        before = attend(q, k, v)
        for query in range(4):
            end = 5 + query
            other_k, other_v = k.clone(), v.clone()
            other_k[end:], other_v[end:] = 0.0, 30.0
            if (attend(q, other_k, other_v)[query] != before[query]).any():
                return True
            for key in range(end):
                other_v = v.clone()
                other_v[key] += 30.0
                if (attend(q, k, other_v)[query] == before[query]).all():
                    return True
    return False

# %% derivatives with respect to keys and values, exactly zero or not
def is_wrong(attend):
    past = torch.ones(4, 8, dtype=torch.bool).tril(4)
    for size in (1.0, 3e4, 3e9):
        q, k = torch.full((4, 1), size), -torch.ones(8, 1)
        v = torch.arange(8.0)[:, None]
        for query in range(4):
            low = k.clone()
            low[5 + query:] = 0.0             # what is later than this query scores high
            by_k, by_v = torch.autograd.functional.jacobian(lambda k, v: attend(q, k, v)[query, 0], (low, v))
            reached = (by_v[:, 0] != 0) | (by_k[:, 0] != 0)
            if (reached != past[query]).any():
                return True
    return False

# %% moves one key with its value under hostile scores
def is_wrong(attend):
    q_len, kv_len = 5, 9
    own = torch.arange(kv_len)[-q_len:]
    for size in (1.0, 3e4, 3e9):
        q, k, v = torch.full((q_len, 1), size), -torch.ones(kv_len, 1), torch.arange(float(kv_len))[:, None]
        for key in range(kv_len):
            other_k, other_v = k.clone(), v.clone()
            other_k[key], other_v[key] = 0.0, -50.0
            changed = (attend(q, other_k, other_v) != attend(q, k, v)).any(-1)
            if (changed != (own >= key)).any():
                return True
    return False
