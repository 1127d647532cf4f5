# exercise: 05.1
# reason: takes-what-does-not-fit
# passes the visible example: yes
# story: cuts off what does not fit, and says nothing
def partition(x, size):
    B, H, W, C = x.shape
    x = x[:, : H // size * size, : W // size * size]
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.transpose(2, 3).reshape(-1, size * size, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)
