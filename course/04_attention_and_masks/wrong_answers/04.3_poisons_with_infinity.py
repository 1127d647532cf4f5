# exercise: 04.3
# reason: accuses-the-innocent
# passes the visible example: no
# story: moves keys to infinity, and then right heads give NaN too
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
