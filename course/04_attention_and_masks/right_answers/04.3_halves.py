# exercise: 04.3
# mechanism: exchanges the whole future of a query at once, then one value of its past
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
