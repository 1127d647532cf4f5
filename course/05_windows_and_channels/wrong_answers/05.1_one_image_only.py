# exercise: 05.1
# reason: wrong-shape
# passes the visible example: yes
# story: takes the first image for the batch
def partition(x, size):
    _, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    x = x[0].reshape(H // size, size, W // size, size, C)
    return x.transpose(1, 2).reshape(-1, size * size, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)
