# exercise: 04.2
# reason: merge-scrambles
# passes the visible example: yes
# story: cuts right, but flattens without moving the axis back
def split_heads(x, heads):
    batch, length, channels = x.shape
    return x.reshape(batch, length, heads, channels // heads).transpose(1, 2)


def merge_heads(x):
    batch, heads, length, size = x.shape
    return x.reshape(batch, length, heads * size)


cut = (split_heads, merge_heads)
