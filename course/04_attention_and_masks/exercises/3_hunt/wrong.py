"""Wrong answers to exercise 04.3: why each is rejected, whether it passes the lab's example, its story."""

# %% misses-finite-fills | visible: yes | random scores only
def is_wrong(attend):
    draw = torch.Generator().manual_seed(0)
    own = torch.arange(4, 8)
    q, k, v = (torch.randn(n, 4, generator=draw) for n in (4, 8, 8))
    before = attend(q, k, v)
    for key in range(8):
        moved_k, moved_v = k.clone(), v.clone()
        moved_k[key], moved_v[key] = 2.0, 100.0
        changed = (attend(q, moved_k, moved_v) != before).any(-1)
        if not torch.equal(changed, own >= key):
            return True
    return False

# %% accuses-the-innocent | visible: yes | demands equal bits from another way of computing the same
def is_wrong(attend):
    draw = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(n, 16, generator=draw) for n in (9, 12, 12))
    past = torch.ones(9, 12, dtype=torch.bool).tril(3)
    right = (q @ k.T / 4).masked_fill(~past, -torch.inf).softmax(-1) @ v
    return not torch.equal(attend(q, k, v), right)

# %% misses-what-is-lost | visible: yes | looks for the future only, never for what is lost
def is_wrong(attend):
    own = torch.arange(4, 8)
    q, k, v = torch.full((4, 1), 2e9), -torch.ones(8, 1), torch.arange(8.0)[:, None]
    before = attend(q, k, v)
    for key in range(8):
        moved_k, moved_v = k.clone(), v.clone()
        moved_k[key], moved_v[key] = 0.0, 100.0
        changed = (attend(q, moved_k, moved_v) != before).any(-1)
        if (changed & (own < key)).any():
            return True
    return False

# %% misses-the-far-future | visible: yes | tries the next key, not those further on
def is_wrong(attend):
    own = torch.arange(4, 8)
    q, k, v = torch.full((4, 1), 2e9), -torch.ones(8, 1), torch.arange(8.0)[:, None]
    before = attend(q, k, v)
    for key in range(8):
        moved_k, moved_v = k.clone(), v.clone()
        moved_k[key], moved_v[key] = 0.0, 100.0
        changed = (attend(q, moved_k, moved_v) != before).any(-1)
        near = own >= key - 1
        if not torch.equal(changed & near, own >= key):
            return True
    return False

# %% accuses-the-innocent | visible: no | moves keys to infinity, and then right heads give NaN too
def is_wrong(attend):
    own = torch.arange(4, 8)
    q, k, v = torch.full((4, 1), 2e9), -torch.ones(8, 1), torch.arange(8.0)[:, None]
    before = attend(q, k, v)
    for key in range(8):
        moved = v.clone()
        moved[key] = torch.inf
        if not torch.equal((attend(q, k, moved) != before).any(-1), own >= key):
            return True
    return False

# %% accuses-the-innocent | visible: no | everybody is a suspect
def is_wrong(attend):
    return True

# %% misses-a-plain-leak | visible: no | nobody is
def is_wrong(attend):
    return False

# %% misses-other-shapes | visible: yes | as many queries as keys, always
def is_wrong(attend):
    own = torch.arange(8)
    q, k, v = torch.full((8, 1), 2e9), -torch.ones(8, 1), torch.arange(8.0)[:, None]
    before = attend(q, k, v)
    for key in range(8):
        moved_k, moved_v = k.clone(), v.clone()
        moved_k[key], moved_v[key] = 0.0, 100.0
        changed = (attend(q, moved_k, moved_v) != before).any(-1)
        if not torch.equal(changed, own >= key):
            return True
    return False

# %% misses-the-denominator | visible: yes | moves values and never a key, so no score changes
def is_wrong(attend):
    own = torch.arange(4, 8)
    for size in (1.0, 2e9):
        q, k, v = torch.full((4, 1), size), -torch.ones(8, 1), torch.arange(8.0)[:, None]
        before = attend(q, k, v)
        for key in range(8):
            moved = v.clone()
            moved[key] = 100.0
            if not torch.equal((attend(q, k, moved) != before).any(-1), own >= key):
                return True
    return False

# %% misses-other-lengths | visible: yes | everything is right, for four queries and eight keys
def is_wrong(attend):
    own = torch.arange(4, 8)
    q, k, v = torch.full((4, 1), 2e9), -torch.ones(8, 1), torch.arange(8.0)[:, None]
    before = attend(q, k, v)
    for key in range(8):
        moved_k, moved_v = k.clone(), v.clone()
        moved_k[key], moved_v[key] = 0.0, 100.0
        changed = (attend(q, moved_k, moved_v) != before).any(-1)
        if not torch.equal(changed, own >= key):
            return True
    return False

# %% misses-other-lengths | visible: yes | many lengths, and never more keys than fit into a tile
def is_wrong(attend):
    for queries, keys in ((1, 8), (4, 8), (8, 8), (3, 16)):
        own = torch.arange(keys - queries, keys)
        q, k, v = torch.full((queries, 1), 2e9), -torch.ones(keys, 1), torch.arange(1.0 * keys)[:, None]
        before = attend(q, k, v)
        for key in range(keys):
            moved_k, moved_v = k.clone(), v.clone()
            moved_k[key], moved_v[key] = 0.0, 100.0
            changed = (attend(q, moved_k, moved_v) != before).any(-1)
            if not torch.equal(changed, own >= key):
                return True
    return False

# %% keeps-state | visible: yes | a head that was tried once is known
KNOWN = {}


def is_wrong(attend):
    if id(attend) not in KNOWN:
        found = False
        for queries, keys in ((1, 6), (8, 8), (5, 24)):
            own = torch.arange(keys - queries, keys)
            q, k, v = torch.full((queries, 1), 2e9), -torch.ones(keys, 1), torch.arange(1.0 * keys)[:, None]
            before = attend(q, k, v)
            for key in range(keys):
                moved_k, moved_v = k.clone(), v.clone()
                moved_k[key], moved_v[key] = 0.0, 100.0
                changed = (attend(q, moved_k, moved_v) != before).any(-1)
                found = found or not torch.equal(changed, own >= key)
        KNOWN[id(attend)] = attend, found
    return KNOWN[id(attend)][1]
