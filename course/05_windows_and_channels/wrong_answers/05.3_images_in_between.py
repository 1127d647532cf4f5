# exercise: 05.3
# reason: mixed-axes
# passes the visible example: yes
# story: exchanges batch and width: right for one image
def axial(x, attend):
    B, H, W, C = x.shape
    columns = attend(x.transpose(0, 2).reshape(B * W, H, C))
    x = columns.reshape(W, H, B, C).transpose(0, 2)
    return attend(x.reshape(B * H, W, C)).reshape(B, H, W, C)
