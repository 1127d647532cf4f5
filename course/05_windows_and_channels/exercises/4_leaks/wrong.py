"""Wrong answers to exercise 05.4: why each is rejected, whether it passes the lab's example, its story."""

# %% accuses-itself | visible: no | counts an image's influence on itself
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

# %% wrong-shape | visible: no | returns the victims without their neighbours
def leaks(layer, x):
    before, changed = layer(x), x.clone()
    changed[0] = 1000.0
    after = layer(changed)
    return [v for v in range(1, len(x)) if not torch.equal(after[v], before[v])]

# %% tolerance | visible: yes | compares with a tolerance
def leaks(layer, x):
    before = layer(x)
    found = []
    for n in range(len(x)):
        for light in (-1000.0, 1000.0):
            changed = x.clone()
            changed[n] = light
            after = layer(changed)
            found += [[v, n] for v in range(len(x)) if v != n and not torch.allclose(after[v], before[v]) and [v, n] not in found]
    return sorted(found)

# %% misses-some-pixels | visible: yes | changes one pixel of the neighbour
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

# %% misses-some-images | visible: yes | tries the first four images and no more
def leaks(layer, x):
    before, found = layer(x), set()
    for neighbour in range(min(4, len(x))):
        for light in (-1000.0, 1000.0):
            changed = x.clone()
            changed[neighbour] = light
            after = layer(changed)
            found |= {(v, neighbour) for v in range(len(x)) if not torch.equal(after[v], before[v])}
    return sorted([v, n] for v, n in found if v != n)

# %% misses-some-pixels | visible: yes | compares the first pixel of the victim
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

# %% wrong-way-round | visible: yes | writes the neighbour first
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

# %% changes-its-input | visible: no | changes the batch itself and never puts the image back
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

# %% misses-some-images | visible: yes | asks only the next image in the batch
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

# %% too-few-changes | visible: yes | tries one change only: much brighter
def leaks(layer, x):
    before = layer(x)
    found = []
    for n in range(len(x)):
        for light in (1000.0,):
            changed = x.clone()
            changed[n] = light
            after = layer(changed)
            found += [[v, n] for v in range(len(x)) if v != n and not torch.equal(after[v], before[v]) and [v, n] not in found]
    return sorted(found)

# %% too-few-changes | visible: yes | tries one change only: the light goes out
def leaks(layer, x):
    before = layer(x)
    found = []
    for n in range(len(x)):
        for light in (0.0,):
            changed = x.clone()
            changed[n] = light
            after = layer(changed)
            found += [[v, n] for v in range(len(x)) if v != n and not torch.equal(after[v], before[v]) and [v, n] not in found]
    return sorted(found)

# %% too-few-changes | visible: yes | asks the Jacobian at one place: no slope, no leak
def leaks(layer, x):
    slopes = torch.autograd.functional.jacobian(layer, x).flatten(5).abs().amax(-1)
    slopes = slopes.flatten(1, 3).amax(1)
    pairs = [[v, n] for v in range(len(x)) for n in range(len(x))]
    return [[v, n] for v, n in pairs if v != n and slopes[v, n] > 0]

# %% compares-sums | visible: yes | compares the mean of each image
def leaks(layer, x):
    before, found = layer(x).mean((1, 2, 3)), set()
    for neighbour in range(len(x)):
        for light in (-1000.0, 1000.0):
            changed = x.clone()
            changed[neighbour] = light
            moved = layer(changed).mean((1, 2, 3)) != before
            found |= {(victim, neighbour) for victim in range(len(x)) if moved[victim] and victim != neighbour}
    return sorted(list(pair) for pair in found)

# %% compares-sums | visible: yes | compares the sum of each image
def leaks(layer, x):
    before, found = layer(x), set()
    for neighbour in range(len(x)):
        for light in (-1000.0, 1000.0):
            changed = x.clone()
            changed[neighbour] = light
            after = layer(changed)
            for victim in range(len(x)):
                if victim != neighbour and after[victim].sum() != before[victim].sum():
                    found.add((victim, neighbour))
    return sorted(map(list, found))

# %% misses-some-channels | visible: yes | changes the first channel only
def leaks(layer, x):
    before, found = layer(x), []
    for victim in range(len(x)):
        for neighbour in range(len(x)):
            for light in (-1000.0, 1000.0):
                changed = x.clone()
                changed[neighbour, 0] = light
                if victim != neighbour and not torch.equal(layer(changed)[victim], before[victim]):
                    found.append([victim, neighbour])
                    break
    return found

# %% compares-sums | visible: yes | compares the sum over the channels of each pixel
def leaks(layer, x):
    before, found = layer(x).sum(1), []
    for victim in range(len(x)):
        for neighbour in range(len(x)):
            for light in (-1000.0, 1000.0):
                changed = x.clone()
                changed[neighbour] = light
                if victim != neighbour and not torch.equal(layer(changed).sum(1)[victim], before[victim]):
                    found.append([victim, neighbour])
                    break
    return found

# %% keeps-state | visible: yes | a layer that was tried once is not tried again
TRIED = {}


def leaks(layer, x):
    if id(layer) not in TRIED:
        before, found = layer(x), set()
        for n in range(len(x)):
            for light in (-1000.0, 1000.0):
                changed = x.clone()
                changed[n] = light
                after = layer(changed)
                found |= {(v, n) for v in range(len(x)) if v != n and not torch.equal(after[v], before[v])}
        TRIED[id(layer)] = layer, sorted([v, n] for v, n in found)
    return list(TRIED[id(layer)][1])

# %% compares-sums | visible: yes | compares which pixels an image holds, and not where
def leaks(layer, x):
    before = layer(x)
    found = []
    for n in range(len(x)):
        for light in (-1000.0, 1000.0):
            c = x.clone(); c[n] = light
            after = layer(c)
            found += [[v, n] for v in range(len(x)) if v != n and not torch.equal(after[v].flatten().sort().values, before[v].flatten().sort().values) and [v, n] not in found]
    return sorted(found)

# %% tolerance | visible: yes | compares to eight decimals
def leaks(layer, x):
    before = layer(x).round(decimals=8)
    found = []
    for n in range(len(x)):
        for light in (-1000.0, 1000.0):
            c = x.clone(); c[n] = light
            after = layer(c).round(decimals=8)
            found += [[v, n] for v in range(len(x)) if v != n and not torch.equal(after[v], before[v]) and [v, n] not in found]
    return sorted(found)
