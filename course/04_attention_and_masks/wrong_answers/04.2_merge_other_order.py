# exercise: 04.2
# reason: merge-scrambles
# passes the visible example: no
# story: puts the channels side by side in another order
def split_heads(x, heads):
    batch, length, channels = x.shape
    return x.reshape(batch, length, heads, channels // heads).transpose(1, 2)


def merge_heads(x):
    batch, heads, length, size = x.shape
    return x.permute(0, 2, 3, 1).reshape(batch, length, heads * size)


cut = (split_heads, merge_heads)
