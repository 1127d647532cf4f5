"""Right answers to exercise 04.3, each by another mechanism."""

# %% exchanges the whole future of a query at once, then one value of its past
def is_wrong(attend):
    draw = torch.Generator().manual_seed(1)
    for queries, keys in ((1, 5), (4, 8), (6, 6), (4, 20)):
        for size in (1.0, 2e9):
            q, k = torch.full((queries, 1), size), -torch.ones(keys, 1)
            v = torch.randn(keys, 1, generator=draw)
            before = attend(q, k, v)
            for query in range(queries):
                end = keys - queries + 1 + query
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
    for queries, keys in ((1, 4), (4, 4), (4, 18)):
        past = torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries)
        for size in (1.0, 3e4, 3e9):
            q, k = torch.full((queries, 1), size), -torch.ones(keys, 1)
            v = torch.arange(float(keys))[:, None]
            for query in range(queries):
                low = k.clone()
                low[keys - queries + 1 + query:] = 0.0             # what is later than this query scores high
                by_k, by_v = torch.autograd.functional.jacobian(lambda k, v: attend(q, k, v)[query, 0], (low, v))
                reached = (by_v[:, 0] != 0) | (by_k[:, 0] != 0)
                if (reached != past[query]).any():
                    return True
    return False

# %% moves one key with its value under hostile scores, for every length up to twenty
def is_wrong(attend):
    for q_len, kv_len in [(n, 20) for n in (1, 2, 5, 20)] + [(n, n) for n in (2, 7)]:
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
