# exercise: 05.4
# mechanism: scales the neighbour by a thousand both ways, and counts the entries that differ
def leaks(layer, x):
    before = layer(x)
    moved = torch.zeros(len(x), len(x), dtype=torch.bool)
    for n in range(len(x)):
        for factor in (1000.0, -1000.0):
            scale = torch.ones(len(x), 1, 1, 1, dtype=x.dtype)
            scale[n] = factor
            moved[:, n] |= (layer(x * scale) != before).flatten(1).any(1)
    return [[v, n] for v, n in moved.nonzero().tolist() if v != n]
