# exercise: 05.4
# mechanism: replaces one image by a bright and a dark one, and compares bit for bit
def leaks(layer, x):
    before = layer(x)
    found = []
    for n in range(len(x)):
        for light in (-1000.0, 1000.0):
            changed = x.clone()
            changed[n] = light
            after = layer(changed)
            found += [[v, n] for v in range(len(x)) if v != n and not torch.equal(after[v], before[v]) and [v, n] not in found]
    return sorted(found)
