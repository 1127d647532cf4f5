# exercise: 05.4
# reason: wrong-shape
# passes the visible example: no
# story: returns the victims without their neighbours
def leaks(layer, x):
    before, changed = layer(x), x.clone()
    changed[0] = 1000.0
    after = layer(changed)
    return [v for v in range(1, len(x)) if not torch.equal(after[v], before[v])]
