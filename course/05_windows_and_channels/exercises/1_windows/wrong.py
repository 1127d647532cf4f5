"""Wrong answers to exercise 05.1: why each is rejected, whether it passes the lab's example, its story."""

# %% mixed-channels | visible: yes | moves the channels to the front and never back
def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.permute(0, 1, 3, 5, 2, 4).reshape(-1, size * size, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)

# %% wrong-order | visible: no | reads the windows column by column
def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.permute(0, 3, 1, 2, 4, 5).reshape(-1, size * size, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)

# %% takes-what-does-not-fit | visible: yes | cuts off what does not fit, and says nothing
def partition(x, size):
    B, H, W, C = x.shape
    x = x[:, : H // size * size, : W // size * size]
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.transpose(2, 3).reshape(-1, size * size, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)

# %% not-the-inverse | visible: no | joins with a reshape alone
def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.transpose(2, 3).reshape(-1, size * size, C)


def join(parts, size, height, width):
    return parts.reshape(-1, height, width, parts.shape[2])


windows = (partition, join)

# %% wrong-dtype | visible: no | turns every image into floats
def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError(f"Windows of {size} do not fit into {H} x {W}.")
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.transpose(2, 3).reshape(-1, size * size, C).float()


def join(parts, size, height, width):
    C = parts.shape[2]
    x = parts.reshape(-1, height // size, width // size, size, size, C)
    return x.transpose(2, 3).reshape(-1, height, width, C).float()


windows = (partition, join)

# %% wrong-shape | visible: yes | takes the first image for the batch
def partition(x, size):
    _, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    x = x[0].reshape(H // size, size, W // size, size, C)
    return x.transpose(1, 2).reshape(-1, size * size, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)

# %% takes-what-does-not-fit | visible: yes | asks whether the width fits, and forgets the height
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

# %% refuses-what-fits | visible: yes | takes an oblong image for one that does not fit
def partition(x, size):
    B, H, W, C = x.shape
    if H != W or H % size:
        raise ValueError("does not fit")
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.transpose(2, 3).reshape(-1, size * size, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)

# %% wrong-neighbours | visible: no | gets the shape with one reshape, and strips instead of windows
def partition(x, size):
    return x.reshape(-1, size * size, x.shape[3])


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)

# %% not-the-inverse | visible: yes | joins as if as many windows stood in a column as in a row
def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.transpose(2, 3).reshape(-1, size * size, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, width // size, height // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)

# %% wrong-order | visible: yes | window 0 of all images first, then window 1: the batch ends up inside
def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    x = x.reshape(B, H // size, size, W // size, size, C)
    return x.permute(1, 3, 0, 2, 4, 5).reshape(-1, size * size, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)

# %% wrong-shape | visible: yes | hard-wires the example's window
def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    x = x.reshape(B, H // 2, 2, W // 2, 2, C)
    return x.transpose(2, 3).reshape(-1, 4, C)


def join(parts, size, height, width):
    x = parts.reshape(-1, height // size, width // size, size, size, parts.shape[2])
    return x.transpose(2, 3).reshape(-1, height, width, parts.shape[2])


windows = (partition, join)

# %% keeps-state | visible: yes | joins by the sizes that were cut last
last = {}


def partition(x, size):
    batch, last["height"], last["width"], channels = x.shape
    if last["height"] % size or last["width"] % size:
        raise ValueError("the windows do not fit")
    cut = x.reshape(batch, last["height"] // size, size, last["width"] // size, size, channels)
    return cut.transpose(2, 3).reshape(-1, size * size, channels)


def join(parts, size, height, width):
    rows, columns = last["height"] // size, last["width"] // size
    cells = parts.reshape(-1, rows, columns, size, size, parts.shape[-1])
    return cells.transpose(2, 3).reshape(-1, rows * size, columns * size, parts.shape[-1])


windows = (partition, join)

# %% wrong-dtype | visible: yes | counted numbers are whole, so it makes room for whole numbers
def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        raise ValueError
    return x.long().reshape(B, H // size, size, W // size, size, C).transpose(2, 3).reshape(-1, size * size, C)
def join(parts, size, height, width):
    C = parts.shape[2]
    out = torch.zeros(len(parts) * size * size // (height * width), height, width, C, dtype=torch.int64)
    out[:] = parts.reshape(-1, height // size, width // size, size, size, C).transpose(2, 3).reshape(-1, height, width, C)
    return out
windows = (partition, join)

# %% changes-its-input | visible: yes | clears the image that it refuses
def partition(x, size):
    B, H, W, C = x.shape
    if H % size or W % size:
        x.zero_()
        raise ValueError
    return x.reshape(B, H // size, size, W // size, size, C).transpose(2, 3).reshape(-1, size * size, C)
def join(parts, size, height, width):
    C = parts.shape[-1]
    return parts.reshape(-1, height // size, width // size, size, size, C).transpose(2, 3).reshape(-1, height, width, C)
windows = (partition, join)
