# exercise: 05.3
# reason: changes-its-input
# passes the visible example: no
# story: writes the result into the image that it was given
def axial(x, attend):
    B, H, W, C = x.shape
    columns = attend(x.transpose(1, 2).reshape(B * W, H, C)).reshape(B, W, H, C).transpose(1, 2)
    x.copy_(attend(columns.reshape(B * H, W, C)).reshape(B, H, W, C))
    return x
