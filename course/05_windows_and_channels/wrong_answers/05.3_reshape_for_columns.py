# exercise: 05.3
# reason: width-first
# passes the visible example: no
# story: calls a reshape a column
def axial(x, attend):
    B, H, W, C = x.shape
    x = attend(x.reshape(B * W, H, C)).reshape(B, H, W, C)
    return attend(x.reshape(B * H, W, C)).reshape(B, H, W, C)
