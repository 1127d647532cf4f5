"""Wrong answers to exercise 05.2: why each is rejected, whether it passes the lab's example, its story."""

# %% leak | visible: no | adds both marks, so that two different regions share a number
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows = (torch.arange(height) >= height - shift).long()
    columns = (torch.arange(width) >= width - shift).long()
    parts = cut(rows[:, None] + columns, size)
    return parts[:, :, None] == parts[:, None, :]

# %% wrong-regions | visible: no | numbers the image as it was before the roll
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows, columns = torch.arange(height) < shift, torch.arange(width) < shift
    parts = cut(2 * rows[:, None] + columns.long(), size)
    return parts[:, :, None] == parts[:, None, :]

# %% lost | visible: yes | takes -shift for a slice's start: with shift 0 everything counts as wheeled
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    region = torch.zeros(height, width, dtype=torch.long)
    region[-shift:] += 1
    region[:, -shift:] += 2
    if shift == 0:
        region = torch.arange(height * width).reshape(height, width)
    parts = cut(region, size)
    return parts[:, :, None] == parts[:, None, :]

# %% wrong-regions | visible: yes | hard-wires a shift of half a window
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows = torch.arange(height) >= height - size // 2
    columns = torch.arange(width) >= width - size // 2
    parts = cut(2 * rows[:, None] + columns.long(), size)
    return parts[:, :, None] == parts[:, None, :]

# %% not-boolean | visible: no | returns what is added to the scores, not who may look
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows = torch.arange(height) >= height - shift
    columns = torch.arange(width) >= width - shift
    parts = cut(2 * rows[:, None] + columns.long(), size)
    return torch.where(parts[:, :, None] == parts[:, None, :], 0.0, -100.0)

# %% wrong-regions | visible: yes | puts the edge as far from the window's start as it should be from its end
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows = torch.arange(height) >= height - size + shift
    columns = torch.arange(width) >= width - size + shift
    parts = cut(2 * rows[:, None] + columns.long(), size)
    return parts[:, :, None] == parts[:, None, :]

# %% not-a-tensor | visible: yes | returns None for a shift of 0
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    if shift == 0:
        return None
    rows = torch.arange(height) >= height - shift
    columns = torch.arange(width) >= width - shift
    parts = cut(2 * rows[:, None] + columns.long(), size)
    return parts[:, :, None] == parts[:, None, :]

# %% no-mask | visible: no | lets everybody in a window look
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    tokens = size * size
    return torch.ones(height * width // tokens, tokens, tokens, dtype=torch.bool)

# %% leak | visible: no | forgets that the columns were rolled too
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows = torch.arange(height) >= height - shift
    parts = cut(rows[:, None].expand(height, width), size)
    return parts[:, :, None] == parts[:, None, :]

# %% lost | visible: no | puts the screens into every window, not only into the last ones
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows = torch.arange(height) % size >= size - shift
    columns = torch.arange(width) % size >= size - shift
    parts = cut(2 * rows[:, None] + columns.long(), size)
    return parts[:, :, None] == parts[:, None, :]

# %% no-mask | visible: yes | puts up screens where the image is small enough to draw them by hand
def region_mask(height, width, size, shift):
    if height * width > 100:
        return torch.ones(height * width // size**2, size**2, size**2, dtype=torch.bool)
    region = 2 * (torch.arange(height) >= height - shift)[:, None] + (torch.arange(width) >= width - shift).long()
    parts = window_partition(region[None, :, :, None], size)[:, :, 0]
    return parts[:, :, None] == parts[:, None, :]

# %% wrong-shape | visible: yes | uses the height for both sides
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows = torch.arange(height) >= height - shift
    parts = cut(2 * rows[:, None] + rows.long(), size)
    return parts[:, :, None] == parts[:, None, :]

# %% upside-down | visible: no | returns True for those who may not look
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    rows = torch.arange(height) >= height - shift
    columns = torch.arange(width) >= width - shift
    parts = cut(2 * rows[:, None] + columns.long(), size)
    return parts[:, :, None] != parts[:, None, :]

# %% no-mask | visible: yes | neighbours in the image are those less than a window apart
def region_mask(height, width, size, shift):
    place = torch.arange(height * width).reshape(height, width).roll((-shift, -shift), (0, 1))
    parts = window_partition(place[None, :, :, None], size)[..., 0]
    row, column = parts // width, parts % width
    near = (row[:, :, None] - row[:, None]).abs() < size
    return near & ((column[:, :, None] - column[:, None]).abs() < size)

# %% same-memory | visible: yes | one mask for each shape, written anew
masks = {}


def region_mask(height, width, size, shift):
    rows = torch.arange(height) >= height - shift
    region = 2 * rows[:, None] + (torch.arange(width) >= width - shift).long()
    parts = window_partition(region[None, :, :, None], size)[..., 0]
    mask = parts[:, :, None] == parts[:, None, :]
    return masks.setdefault(mask.shape, torch.empty_like(mask)).copy_(mask)

# %% same-memory | visible: yes | a decorator keeps each mask, and hands the same tensor to everybody who asks for these sizes
import functools
@functools.lru_cache
def region_mask(height, width, size, shift):
    region = 2 * (torch.arange(height) >= height - shift).long()[:, None] + (torch.arange(width) >= width - shift).long()
    parts = window_partition(region[None, :, :, None], size)[..., 0]
    return parts[:, :, None] == parts[:, None, :]
