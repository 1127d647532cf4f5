# exercise: 04.3
# reason: misses-what-is-lost
# passes the visible example: yes
# story: looks for the future only, never for what is lost
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
