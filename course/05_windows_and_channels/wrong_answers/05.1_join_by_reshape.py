# exercise: 05.1
# reason: not-the-inverse
# passes the visible example: no
# story: joins with a reshape alone
def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.transpose(2, 3).reshape(-1, size * size, C)


def join(parts, size, height, width):
    return parts.reshape(-1, height, width, parts.shape[2])


windows = (partition, join)
