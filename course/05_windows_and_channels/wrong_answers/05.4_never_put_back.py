# exercise: 05.4
# reason: changes-its-input
# passes the visible example: no
# story: changes the batch itself and never puts the image back
def leaks(layer, x):
    before = layer(x)
    found = []
    for n in range(len(x)):
        for light in (-1000.0, 1000.0):
            changed = x
            changed[n] = light
            after = layer(changed)
            found += [[v, n] for v in range(len(x)) if v != n and not torch.equal(after[v], before[v]) and [v, n] not in found]
    return sorted(found)
