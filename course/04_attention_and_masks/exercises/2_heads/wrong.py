"""Wrong answers to exercise 04.2: why each is rejected, whether it passes the lab's example, its story."""

# %% mixes-heads | visible: no | gives head h the channels h, h + H, h + 2H, …
def split_heads(x, heads):
    batch, length, channels = x.shape
    return x.reshape(batch, length, channels // heads, heads).permute(0, 3, 1, 2)


def merge_heads(x):
    batch, heads, length, size = x.shape
    return x.transpose(1, 2).reshape(batch, length, heads * size)


cut = (split_heads, merge_heads)

# %% merge-scrambles | visible: no | puts the channels side by side in another order
def split_heads(x, heads):
    batch, length, channels = x.shape
    return x.reshape(batch, length, heads, channels // heads).transpose(1, 2)


def merge_heads(x):
    batch, heads, length, size = x.shape
    return x.permute(0, 2, 3, 1).reshape(batch, length, heads * size)


cut = (split_heads, merge_heads)

# %% merge-scrambles | visible: yes | cuts right, but flattens without moving the axis back
def split_heads(x, heads):
    batch, length, channels = x.shape
    return x.reshape(batch, length, heads, channels // heads).transpose(1, 2)


def merge_heads(x):
    batch, heads, length, size = x.shape
    return x.reshape(batch, length, heads * size)


cut = (split_heads, merge_heads)

# %% wrong-shape | visible: no | cuts the last axis and stops
def split_heads(x, heads):
    batch, length, channels = x.shape
    return x.reshape(batch, length, heads, channels // heads)


def merge_heads(x):
    batch, heads, length, size = x.shape
    return x.transpose(1, 2).reshape(batch, length, heads * size)


cut = (split_heads, merge_heads)

# %% wrong-shape | visible: yes | made for a batch of one
def split_heads(x, heads):
    _, length, channels = x.shape
    return x[0].reshape(length, heads, channels // heads).transpose(0, 1)[None]


def merge_heads(x):
    _, heads, length, size = x.shape
    return x[0].transpose(0, 1).reshape(1, length, heads * size)


cut = (split_heads, merge_heads)

# %% merge-scrambles | visible: no | merge_heads hands back the tensor that split_heads was given last
KEPT = []


def split_heads(x, heads):
    KEPT[:] = [x]
    batch, length, channels = x.shape
    return x.reshape(batch, length, heads, channels // heads).transpose(1, 2)


def merge_heads(x):
    return KEPT[0]


cut = (split_heads, merge_heads)

# %% merge-scrambles | visible: no | puts the numbers in order instead of back
def split_heads(x, heads):
    batch, length, channels = x.shape
    return x.reshape(batch, length, heads, channels // heads).transpose(1, 2)


def merge_heads(x):
    batch, heads, length, size = x.shape
    return x.flatten().sort().values.reshape(batch, length, heads * size)


cut = (split_heads, merge_heads)

# %% mixes-requests | visible: yes | moves the batch axis too
def split_heads(x, heads):
    batch, length, channels = x.shape
    mixed = x.transpose(0, 1).reshape(batch, length, heads, channels // heads)
    return mixed.transpose(1, 2) if batch > 1 else x.reshape(1, length, heads, -1).transpose(1, 2)


def merge_heads(x):
    batch, heads, length, size = x.shape
    return x.transpose(1, 2).reshape(batch, length, heads * size)


cut = (split_heads, merge_heads)

# %% exception | visible: yes | the size of the example is wired in
def split_heads(x, heads):
    batch, length, _ = x.shape
    return x.reshape(batch, length, heads, 3).transpose(1, 2)


def merge_heads(x):
    batch, heads, length, size = x.shape
    return x.transpose(1, 2).reshape(batch, length, heads * size)


cut = (split_heads, merge_heads)

# %% mixes-positions | visible: yes | one reshape to the right shape, no transpose
def split_heads(x, heads):
    batch, length, channels = x.shape
    return x.reshape(batch, heads, length, channels // heads)


def merge_heads(x):
    batch, heads, length, size = x.shape
    return x.transpose(1, 2).reshape(batch, length, heads * size)


cut = (split_heads, merge_heads)

# %% same-memory | visible: yes | merges into one tensor for each shape
room = {}


def split_heads(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def merge_heads(x):
    merged = x.transpose(1, 2).flatten(2)
    return room.setdefault((merged.shape, merged.dtype), torch.empty_like(merged)).copy_(merged)


cut = (split_heads, merge_heads)

# %% wrong-shape | visible: yes | counted numbers are whole, so it makes room for whole numbers
def split_heads(x, heads):
    b, s, c = x.shape
    out = torch.zeros(b, heads, s, c // heads, dtype=torch.int64)
    for h in range(heads):
        out[:, h] = x[:, :, h * (c // heads):(h + 1) * (c // heads)]
    return out


def merge_heads(x):
    b, h, s, d = x.shape
    return x.transpose(1, 2).reshape(b, s, h * d).long()


cut = (split_heads, merge_heads)
