# exercise: 05.4
# reason: misses-some-pixels
# passes the visible example: yes
# story: compares the first pixel of the victim
def leaks(layer, x):
    before = layer(x)
    found = []
    for n in range(len(x)):
        for light in (-1000.0, 1000.0):
            changed = x.clone()
            changed[n] = light
            after = layer(changed)
            found += [[v, n] for v in range(len(x)) if v != n and not torch.equal(after[v][:, 0, 0], before[v][:, 0, 0]) and [v, n] not in found]
    return sorted(found)
