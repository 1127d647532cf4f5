# exercise: 05.2
# mechanism: paints nine regions with slices, as the paper's own code does
def cut(x, size):
    H, W = x.shape
    return x.reshape(H // size, size, W // size, size).transpose(1, 2).reshape(-1, size * size)


def region_mask(height, width, size, shift):
    region = torch.zeros(height, width)
    edges = (slice(0, -size), slice(-size, height - shift), slice(height - shift, None))
    sides = (slice(0, -size), slice(-size, width - shift), slice(width - shift, None))
    for n, (rows, columns) in enumerate((a, b) for a in edges for b in sides):
        region[rows, columns] = n
    parts = cut(region, size)
    return parts[:, :, None] == parts[:, None, :]
