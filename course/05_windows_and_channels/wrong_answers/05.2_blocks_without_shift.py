# exercise: 05.2
# reason: lost
# passes the visible example: yes
# story: takes -shift for a slice's start: with shift 0 everything counts as wheeled
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    region = torch.zeros(height, width, dtype=torch.long)
    region[-shift:] += 1
    region[:, -shift:] += 2
    if shift == 0:
        region = torch.arange(height * width).reshape(height, width)
    parts = cut(region, size)
    return parts[:, :, None] == parts[:, None, :]
