# exercise: 04.2
# reason: mixes-heads
# passes the visible example: no
# story: gives head h the channels h, h + H, h + 2H, …
def split_heads(x, heads):
    batch, length, channels = x.shape
    return x.reshape(batch, length, channels // heads, heads).permute(0, 3, 1, 2)


def merge_heads(x):
    batch, heads, length, size = x.shape
    return x.transpose(1, 2).reshape(batch, length, heads * size)


cut = (split_heads, merge_heads)
