# exercise: 04.2
# reason: wrong-shape
# passes the visible example: yes
# story: made for a batch of one
def split_heads(x, heads):
    _, length, channels = x.shape
    return x[0].reshape(length, heads, channels // heads).transpose(0, 1)[None]


def merge_heads(x):
    _, heads, length, size = x.shape
    return x[0].transpose(0, 1).reshape(1, length, heads * size)


cut = (split_heads, merge_heads)
