# exercise: 05.4
# reason: wrong-way-round
# passes the visible example: yes
# story: writes the neighbour first
def leaks(layer, x):
    before = layer(x)
    found = []
    for n in range(len(x)):
        for light in (-1000.0, 1000.0):
            changed = x.clone()
            changed[n] = light
            after = layer(changed)
            found += [[n, v] for v in range(len(x)) if v != n and not torch.equal(after[v], before[v]) and [n, v] not in found]
    return sorted(found)
