# exercise: 06.3
# mechanism: asks for each word and layer whether a path of looks leads to a new word
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
