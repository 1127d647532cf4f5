# exercise: 04.3
# reason: misses-the-denominator
# passes the visible example: yes
# story: moves values and never a key, so no score changes
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
