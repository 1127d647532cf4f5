# exercise: 05.1
# mechanism: names the axes it splits with unflatten, and flattens them again
def partition(x, size):
    if x.shape[1] % size or x.shape[2] % size:
        raise ValueError("does not fit")
    x = x.unflatten(2, (-1, size)).unflatten(1, (-1, size))
    return x.transpose(2, 3).flatten(0, 2).flatten(1, 2)


def join(parts, size, height, width):
    x = parts.unflatten(0, (-1, height // size, width // size)).unflatten(3, (size, size))
    return x.transpose(2, 3).flatten(3, 4).flatten(1, 2)


windows = (partition, join)
