"""Wrong answers to exercise 05.3: why each is rejected, whether it passes the lab's example, its story."""

# %% mixed-axes | visible: yes | turns with the channels in between: right for one channel
def axial(x, attend):
    B, H, W, C = x.shape
    columns = attend(x.permute(0, 3, 2, 1).reshape(B * W, H, C))
    x = columns.reshape(B, C, W, H).permute(0, 3, 2, 1)
    return attend(x.reshape(B * H, W, C)).reshape(B, H, W, C)

# %% not-two-layers | visible: no | one layer in which everybody sees everybody
def axial(x, attend):
    B, H, W, C = x.shape
    return attend(x.reshape(B, H * W, C)).reshape(B, H, W, C)

# %% mixed-axes | visible: yes | exchanges batch and width: right for one image
def axial(x, attend):
    B, H, W, C = x.shape
    columns = attend(x.transpose(0, 2).reshape(B * W, H, C))
    x = columns.reshape(W, H, B, C).transpose(0, 2)
    return attend(x.reshape(B * H, W, C)).reshape(B, H, W, C)

# %% changes-its-input | visible: no | writes the result into the image that it was given
def axial(x, attend):
    B, H, W, C = x.shape
    columns = attend(x.transpose(1, 2).reshape(B * W, H, C)).reshape(B, W, H, C).transpose(1, 2)
    x.copy_(attend(columns.reshape(B * H, W, C)).reshape(B, H, W, C))
    return x

# %% not-turned-back | visible: yes | turns the image once more at the end
def axial(x, attend):
    B, H, W, C = x.shape
    columns = attend(x.transpose(1, 2).reshape(B * W, H, C))
    x = columns.reshape(B, W, H, C).transpose(1, 2)
    return attend(x.reshape(B * H, W, C)).reshape(B, H, W, C).transpose(1, 2).reshape(B, H, W, C)

# %% wrong-dtype | visible: no | collects the rows in a tensor of floats
def axial(x, attend):
    B, H, W, C = x.shape
    columns = attend(x.transpose(1, 2).reshape(B * W, H, C)).reshape(B, W, H, C).transpose(1, 2)
    out = torch.zeros(B, H, W, C)
    out[:] = attend(columns.reshape(B * H, W, C)).reshape(B, H, W, C)
    return out

# %% wrong-shape | visible: yes | takes the first image for the batch
def axial(x, attend):
    _, H, W, C = x.shape
    x = attend(x[0].transpose(0, 1)).transpose(0, 1)
    return attend(x).reshape(1, H, W, C)

# %% width-first | visible: no | calls a reshape a column
def axial(x, attend):
    B, H, W, C = x.shape
    x = attend(x.reshape(B * W, H, C)).reshape(B, H, W, C)
    return attend(x.reshape(B * H, W, C)).reshape(B, H, W, C)

# %% side-by-side | visible: no | adds the two layers instead of chaining them
def axial(x, attend):
    B, H, W, C = x.shape
    columns = attend(x.transpose(1, 2).reshape(B * W, H, C))
    rows = attend(x.reshape(B * H, W, C))
    return columns.reshape(B, W, H, C).transpose(1, 2) + rows.reshape(B, H, W, C)

# %% wrong-groups | visible: yes | turns the image and keeps its old shape
def axial(x, attend):
    B, H, W, C = x.shape
    columns = attend(x.transpose(1, 2).reshape(-1, W, C))
    x = columns.reshape(B, W, H, C).transpose(1, 2)
    return attend(x.reshape(B * H, W, C)).reshape(B, H, W, C)

# %% width-first | visible: no | rows first, then columns
def axial(x, attend):
    B, H, W, C = x.shape
    x = attend(x.reshape(B * H, W, C)).reshape(B, H, W, C)
    columns = attend(x.transpose(1, 2).reshape(B * W, H, C))
    return columns.reshape(B, W, H, C).transpose(1, 2)

# %% not-two-layers | visible: yes | leaves out a layer whose groups have one token each
def axial(x, attend):
    B, H, W, C = x.shape
    if H > 1:
        x = attend(x.transpose(1, 2).reshape(B * W, H, C)).reshape(B, W, H, C).transpose(1, 2)
    if W > 1:
        x = attend(x.reshape(B * H, W, C)).reshape(B, H, W, C)
    return x
