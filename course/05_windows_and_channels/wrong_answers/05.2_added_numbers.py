# exercise: 05.2
# reason: leak
# passes the visible example: no
# story: adds both marks, so that two different regions share a number
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows = (torch.arange(height) >= height - shift).long()
    columns = (torch.arange(width) >= width - shift).long()
    parts = cut(rows[:, None] + columns, size)
    return parts[:, :, None] == parts[:, None, :]
