# exercise: 04.2
# mechanism: the same numbers seen through other strides
def split_heads(x, heads):
    batch, length, channels = x.shape
    size = channels // heads
    return x.contiguous().as_strided((batch, heads, length, size), (length * channels, size, channels, 1))


def merge_heads(x):
    batch, heads, length, size = x.shape
    merged = x.new_zeros(batch, length, heads * size)
    for head in range(heads):
        merged[:, :, head * size:(head + 1) * size] = x[:, head]
    return merged


cut = (split_heads, merge_heads)
