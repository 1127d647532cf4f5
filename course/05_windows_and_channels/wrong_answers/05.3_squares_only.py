# exercise: 05.3
# reason: wrong-groups
# passes the visible example: yes
# story: turns the image and keeps its old shape
def axial(x, attend):
    B, H, W, C = x.shape
    columns = attend(x.transpose(1, 2).reshape(-1, W, C))
    x = columns.reshape(B, W, H, C).transpose(1, 2)
    return attend(x.reshape(B * H, W, C)).reshape(B, H, W, C)
