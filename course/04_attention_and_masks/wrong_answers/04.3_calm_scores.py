# exercise: 04.3
# reason: misses-finite-fills
# passes the visible example: yes
# story: random scores only
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
