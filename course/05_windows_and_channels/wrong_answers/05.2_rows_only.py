# exercise: 05.2
# reason: leak
# passes the visible example: no
# story: forgets that the columns were rolled too
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows = torch.arange(height) >= height - shift
    parts = cut(rows[:, None].expand(height, width), size)
    return parts[:, :, None] == parts[:, None, :]
