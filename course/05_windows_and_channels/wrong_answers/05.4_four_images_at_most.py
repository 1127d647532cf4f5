# exercise: 05.4
# reason: misses-some-images
# passes the visible example: yes
# story: tries the first four images and no more
def leaks(layer, x):
    before, found = layer(x), set()
    for neighbour in range(min(4, len(x))):
        for light in (-1000.0, 1000.0):
            changed = x.clone()
            changed[neighbour] = light
            after = layer(changed)
            found |= {(v, neighbour) for v in range(len(x)) if not torch.equal(after[v], before[v])}
    return sorted([v, n] for v, n in found if v != n)
