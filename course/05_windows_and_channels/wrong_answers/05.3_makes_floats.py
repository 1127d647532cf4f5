# exercise: 05.3
# reason: wrong-dtype
# passes the visible example: no
# story: collects the rows in a tensor of floats
def axial(x, attend):
    B, H, W, C = x.shape
    columns = attend(x.transpose(1, 2).reshape(B * W, H, C)).reshape(B, W, H, C).transpose(1, 2)
    out = torch.zeros(B, H, W, C)
    out[:] = attend(columns.reshape(B * H, W, C)).reshape(B, H, W, C)
    return out
