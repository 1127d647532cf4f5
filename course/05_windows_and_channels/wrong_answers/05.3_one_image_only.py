# exercise: 05.3
# reason: wrong-shape
# passes the visible example: yes
# story: takes the first image for the batch
def axial(x, attend):
    _, H, W, C = x.shape
    x = attend(x[0].transpose(0, 1)).transpose(0, 1)
    return attend(x).reshape(1, H, W, C)
