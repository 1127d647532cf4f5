# exercise: 05.1
# reason: wrong-neighbours
# passes the visible example: no
# story: gets the shape with one reshape, and strips instead of windows
def partition(x, size):
    return x.reshape(-1, size * size, x.shape[3])


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)
