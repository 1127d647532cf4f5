# exercise: 06.3
# mechanism: sets of words as the bits of a number
def stale(mask, old, layers):
    looks = [sum(1 << j for j, seen in enumerate(row) if seen) for row in mask]
    knows, found = (1 << len(mask)) - (1 << old), []
    for _ in range(layers):
        found.append([i for i in range(old) if knows >> i & 1])
        knows |= sum(1 << i for i, seen in enumerate(looks) if seen & knows)
    return found
