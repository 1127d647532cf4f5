# exercise: 05.1
# reason: refuses-what-fits
# passes the visible example: yes
# story: takes an oblong image for one that does not fit
def partition(x, size):
    B, H, W, C = x.shape
    if H != W or H % size:
        raise ValueError("does not fit")
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.transpose(2, 3).reshape(-1, size * size, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)
