# exercise: 05.1
# reason: mixed-channels
# passes the visible example: yes
# story: moves the channels to the front and never back
def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.permute(0, 1, 3, 5, 2, 4).reshape(-1, size * size, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)
