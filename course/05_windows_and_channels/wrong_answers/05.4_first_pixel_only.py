# exercise: 05.4
# reason: misses-some-pixels
# passes the visible example: yes
# story: changes one pixel of the neighbour
def leaks(layer, x):
    before = layer(x)
    found = []
    for n in range(len(x)):
        for light in (-1000.0, 1000.0):
            changed = x.clone()
            changed[n, :, 0, 0] = light
            after = layer(changed)
            found += [[v, n] for v in range(len(x)) if v != n and not torch.equal(after[v], before[v]) and [v, n] not in found]
    return sorted(found)
