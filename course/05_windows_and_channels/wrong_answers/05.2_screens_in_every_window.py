# exercise: 05.2
# reason: lost
# passes the visible example: no
# story: puts the screens into every window, not only into the last ones
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows = torch.arange(height) % size >= size - shift
    columns = torch.arange(width) % size >= size - shift
    parts = cut(2 * rows[:, None] + columns.long(), size)
    return parts[:, :, None] == parts[:, None, :]
