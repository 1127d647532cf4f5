# exercise: 05.2
# reason: not-boolean
# passes the visible example: no
# story: returns what is added to the scores, not who may look
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows = torch.arange(height) >= height - shift
    columns = torch.arange(width) >= width - shift
    parts = cut(2 * rows[:, None] + columns.long(), size)
    return torch.where(parts[:, :, None] == parts[:, None, :], 0.0, -100.0)
