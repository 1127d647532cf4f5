# exercise: 05.2
# reason: wrong-regions
# passes the visible example: no
# story: numbers the image as it was before the roll
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows, columns = torch.arange(height) < shift, torch.arange(width) < shift
    parts = cut(2 * rows[:, None] + columns.long(), size)
    return parts[:, :, None] == parts[:, None, :]
