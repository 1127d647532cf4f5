# exercise: 05.4
# reason: accuses-itself
# passes the visible example: no
# story: counts an image's influence on itself
def leaks(layer, x):
    before = layer(x)
    found = []
    for n in range(len(x)):
        for light in (-1000.0, 1000.0):
            changed = x.clone()
            changed[n] = light
            after = layer(changed)
            found += [[v, n] for v in range(len(x)) if True and not torch.equal(after[v], before[v]) and [v, n] not in found]
    return sorted(found)
