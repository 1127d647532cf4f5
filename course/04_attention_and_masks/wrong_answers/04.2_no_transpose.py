# exercise: 04.2
# reason: wrong-shape
# passes the visible example: no
# story: cuts the last axis and stops
def split_heads(x, heads):
    batch, length, channels = x.shape
    return x.reshape(batch, length, heads, channels // heads)


def merge_heads(x):
    batch, heads, length, size = x.shape
    return x.transpose(1, 2).reshape(batch, length, heads * size)


cut = (split_heads, merge_heads)
