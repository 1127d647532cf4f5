# exercise: 05.4
# reason: misses-some-images
# passes the visible example: yes
# story: asks only the next image in the batch
def leaks(layer, x):
    before = layer(x)
    found = []
    for n in range(len(x)):
        for light in (-1000.0, 1000.0):
            changed = x.clone()
            changed[n] = light
            after = layer(changed)
            found += [[v, n] for v in range(len(x)) if v == (n + 1) % len(x) and not torch.equal(after[v], before[v]) and [v, n] not in found]
    return sorted(found)
