# exercise: 05.3
# reason: not-two-layers
# passes the visible example: no
# story: one layer in which everybody sees everybody
def axial(x, attend):
    B, H, W, C = x.shape
    return attend(x.reshape(B, H * W, C)).reshape(B, H, W, C)
