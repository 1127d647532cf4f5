# exercise: 04.3
# reason: accuses-the-innocent
# passes the visible example: yes
# story: demands equal bits from another way of computing the same
def is_wrong(attend):
    draw = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(n, 16, generator=draw) for n in (9, 12, 12))
    past = torch.ones(9, 12, dtype=torch.bool).tril(3)
    right = (q @ k.T / 4).masked_fill(~past, -torch.inf).softmax(-1) @ v
    return not torch.equal(attend(q, k, v), right)
