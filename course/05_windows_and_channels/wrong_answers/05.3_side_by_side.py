# exercise: 05.3
# reason: side-by-side
# passes the visible example: no
# story: adds the two layers instead of chaining them
def axial(x, attend):
    B, H, W, C = x.shape
    columns = attend(x.transpose(1, 2).reshape(B * W, H, C))
    rows = attend(x.reshape(B * H, W, C))
    return columns.reshape(B, W, H, C).transpose(1, 2) + rows.reshape(B, H, W, C)
