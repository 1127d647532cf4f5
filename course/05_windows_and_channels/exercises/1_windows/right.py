"""Right answers to exercise 05.1, each by another mechanism."""

# %% cuts each window out with a slice, and writes it back with one
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

# %% names the axes it splits with unflatten, and flattens them again
def partition(x, size):
    if x.shape[1] % size or x.shape[2] % size:
        raise ValueError("does not fit")
    x = x.unflatten(2, (-1, size)).unflatten(1, (-1, size))
    return x.transpose(2, 3).flatten(0, 2).flatten(1, 2)


def join(parts, size, height, width):
    x = parts.unflatten(0, (-1, height // size, width // size)).unflatten(3, (size, size))
    return x.transpose(2, 3).flatten(3, 4).flatten(1, 2)


windows = (partition, join)

# %% split and cat, in a list
def partition(x, size):
    if x.shape[1] % size or x.shape[2] % size:
        raise ValueError("the windows do not fit")
    cells = [cell for strip in x.split(size, 1) for cell in strip.split(size, 2)]
    return torch.stack([cell.flatten(1, 2) for cell in cells], 1).flatten(0, 1)


def join(parts, size, height, width):
    across, down = width // size, height // size
    cells = parts.unflatten(0, (-1, down * across)).unflatten(2, (size, size))
    strips = [torch.cat([cells[:, row * across + column] for column in range(across)], 2) for row in range(down)]
    return torch.cat(strips, 1)


windows = [partition, join]
