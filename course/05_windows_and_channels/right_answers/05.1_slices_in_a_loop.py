# exercise: 05.1
# mechanism: cuts each window out with a slice, and writes it back with one
def corners(height, width, size):
    return [(top, left) for top in range(0, height, size) for left in range(0, width, size)]


def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    parts = [x[:, t : t + size, left : left + size].reshape(B, -1, C) for t, left in corners(H, W, size)]
    return torch.stack(parts, 1).reshape(-1, size * size, C)


def join(parts, size, height, width):
    places = corners(height, width, size)
    parts = parts.reshape(-1, len(places), size, size, parts.shape[2])
    x = torch.empty(len(parts), height, width, parts.shape[4], dtype=parts.dtype)
    for n, (top, left) in enumerate(places):
        x[:, top : top + size, left : left + size] = parts[:, n]
    return x


windows = (partition, join)
