# exercise: 05.3
# reason: mixed-axes
# passes the visible example: yes
# story: turns with the channels in between: right for one channel
def axial(x, attend):
    B, H, W, C = x.shape
    columns = attend(x.permute(0, 3, 2, 1).reshape(B * W, H, C))
    x = columns.reshape(B, C, W, H).permute(0, 3, 2, 1)
    return attend(x.reshape(B * H, W, C)).reshape(B, H, W, C)
