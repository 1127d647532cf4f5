# exercise: 05.1
# reason: takes-what-does-not-fit
# passes the visible example: yes
# story: asks whether the width fits, and forgets the height
def partition(x, size):
    B, H, W, C = x.shape
    if W % size:
        raise ValueError("does not fit")
    x = x[:, : H // size * size].reshape(B, H // size, size, W // size, size, C)
    return x.transpose(2, 3).reshape(-1, size * size, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)
