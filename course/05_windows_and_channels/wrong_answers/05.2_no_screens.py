# exercise: 05.2
# reason: no-mask
# passes the visible example: no
# story: lets everybody in a window look
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    tokens = size * size
    return torch.ones(height * width // tokens, tokens, tokens, dtype=torch.bool)
