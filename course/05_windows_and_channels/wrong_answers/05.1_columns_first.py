# exercise: 05.1
# reason: wrong-order
# passes the visible example: no
# story: reads the windows column by column
def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.permute(0, 3, 1, 2, 4, 5).reshape(-1, size * size, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)
