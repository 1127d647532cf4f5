# exercise: 05.2
# reason: wrong-regions
# passes the visible example: yes
# story: puts the edge as far from the window's start as it should be from its end
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows = torch.arange(height) >= height - size + shift
    columns = torch.arange(width) >= width - size + shift
    parts = cut(2 * rows[:, None] + columns.long(), size)
    return parts[:, :, None] == parts[:, None, :]
