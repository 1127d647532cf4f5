# exercise: 04.2
# reason: mixes-requests
# passes the visible example: yes
# story: moves the batch axis too
def split_heads(x, heads):
    batch, length, channels = x.shape
    mixed = x.transpose(0, 1).reshape(batch, length, heads, channels // heads)
    return mixed.transpose(1, 2) if batch > 1 else x.reshape(1, length, heads, -1).transpose(1, 2)


def merge_heads(x):
    batch, heads, length, size = x.shape
    return x.transpose(1, 2).reshape(batch, length, heads * size)


cut = (split_heads, merge_heads)
