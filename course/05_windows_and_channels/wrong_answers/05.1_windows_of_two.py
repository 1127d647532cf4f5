# exercise: 05.1
# reason: wrong-shape
# passes the visible example: yes
# story: hard-wires the example's window
def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    x = x.reshape(B, H // 2, 2, W // 2, 2, C)
    return x.transpose(2, 3).reshape(-1, 4, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)
