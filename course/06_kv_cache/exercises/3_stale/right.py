"""Right answers to exercise 06.3, each by another mechanism."""

# %% sets of words as the bits of a number
def stale(mask, old, layers):
    looks = [sum(1 << j for j, seen in enumerate(row) if seen) for row in mask]
    knows, found = (1 << len(mask)) - (1 << old), []
    for _ in range(layers):
        found.append([i for i in range(old) if knows >> i & 1])
        knows |= sum(1 << i for i, seen in enumerate(looks) if seen & knows)
    return found

# %% how many looks a word is away from the nearest new one, breadth first
def stale(mask, old, layers):
    away, front, step = dict.fromkeys(range(old, len(mask)), 0), range(old, len(mask)), 0
    while front:
        step += 1
        front = [i for i in range(old) if i not in away and any(mask[i][j] for j in front)]
        away |= dict.fromkeys(front, step)
    return tuple(tuple(i for i in range(old) if away.get(i, layers) <= layer) for layer in range(layers))

# %% asks for each word and layer whether a path of looks leads to a new word
def stale(mask, old, layers):
    size = len(mask)

    def distance(word):
        """The fewest looks from a word to a new one, by breadth."""
        reached, front, steps = {word}, {word}, 0
        while front and all(one < old for one in front):
            front = {j for one in front for j in range(size) if mask[one][j]} - reached
            reached |= front
            steps += 1
        return steps if front else size + layers
    far = [distance(word) for word in range(old)]
    return [[word for word in range(old) if far[word] <= layer] for layer in range(layers)]

# %% multiplies the boolean matrix: who knows, one product a layer
def stale(mask, old, layers):
    look = (torch.tensor(mask) | torch.eye(len(mask), dtype=torch.bool)).double()
    knows = (torch.arange(len(mask)) >= old).double()
    found = []
    for _ in range(layers):
        found.append([i for i in range(old) if knows[i] > 0])
        knows = ((look @ knows) > 0).double()
    return found
