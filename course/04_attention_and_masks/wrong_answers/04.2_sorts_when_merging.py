# exercise: 04.2
# reason: merge-scrambles
# passes the visible example: no
# story: puts the numbers in order instead of back
def split_heads(x, heads):
    batch, length, channels = x.shape
    return x.reshape(batch, length, heads, channels // heads).transpose(1, 2)


def merge_heads(x):
    batch, heads, length, size = x.shape
    return x.flatten().sort().values.reshape(batch, length, heads * size)


cut = (split_heads, merge_heads)
