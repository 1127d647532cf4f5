# exercise: 04.2
# reason: mixes-positions
# passes the visible example: yes
# story: one reshape to the right shape, no transpose
def split_heads(x, heads):
    batch, length, channels = x.shape
    return x.reshape(batch, heads, length, channels // heads)


def merge_heads(x):
    batch, heads, length, size = x.shape
    return x.transpose(1, 2).reshape(batch, length, heads * size)


cut = (split_heads, merge_heads)
