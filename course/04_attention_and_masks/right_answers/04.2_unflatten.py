# exercise: 04.2
# mechanism: unflatten and flatten
def split_heads(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


cut = (split_heads, merge_heads)
