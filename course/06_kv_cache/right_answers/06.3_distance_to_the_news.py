# exercise: 06.3
# mechanism: how many looks a word is away from the nearest new one, breadth first
def stale(mask, old, layers):
    away, front, step = dict.fromkeys(range(old, len(mask)), 0), range(old, len(mask)), 0
    while front:
        step += 1
        front = [i for i in range(old) if i not in away and any(mask[i][j] for j in front)]
        away |= dict.fromkeys(front, step)
    return tuple({i for i in range(old) if away.get(i, layers) <= layer} for layer in range(layers))
