# exercise: 05.1
# reason: not-the-inverse
# passes the visible example: yes
# story: joins as if as many windows stood in a column as in a row
def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.transpose(2, 3).reshape(-1, size * size, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, width // size, height // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)
