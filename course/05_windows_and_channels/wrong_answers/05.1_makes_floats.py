# exercise: 05.1
# reason: wrong-dtype
# passes the visible example: no
# story: turns every image into floats
def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError(f"Windows of {size} do not fit into {H} x {W}.")
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.transpose(2, 3).reshape(-1, size * size, C).float()


def join(parts, size, height, width):
    C = parts.shape[2]
    x = parts.reshape(-1, height // size, width // size, size, size, C)
    return x.transpose(2, 3).reshape(-1, height, width, C).float()


windows = (partition, join)
