# exercise: 05.2
# reason: wrong-shape
# passes the visible example: yes
# story: uses the height for both sides
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows = torch.arange(height) >= height - shift
    parts = cut(2 * rows[:, None] + rows.long(), size)
    return parts[:, :, None] == parts[:, None, :]
