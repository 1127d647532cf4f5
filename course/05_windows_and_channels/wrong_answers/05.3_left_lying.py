# exercise: 05.3
# reason: not-turned-back
# passes the visible example: yes
# story: turns the image once more at the end
def axial(x, attend):
    B, H, W, C = x.shape
    columns = attend(x.transpose(1, 2).reshape(B * W, H, C))
    x = columns.reshape(B, W, H, C).transpose(1, 2)
    return attend(x.reshape(B * H, W, C)).reshape(B, H, W, C).transpose(1, 2).reshape(B, H, W, C)
