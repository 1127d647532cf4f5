# exercise: 05.3
# reason: width-first
# passes the visible example: no
# story: rows first, then columns
def axial(x, attend):
    B, H, W, C = x.shape
    x = attend(x.reshape(B * H, W, C)).reshape(B, H, W, C)
    columns = attend(x.transpose(1, 2).reshape(B * W, H, C))
    return columns.reshape(B, W, H, C).transpose(1, 2)
