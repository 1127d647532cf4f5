# exercise: 04.2
# mechanism: pieces cut off, stacked, and joined again
def split_heads(x, heads):
    return torch.stack(x.chunk(heads, dim=-1), dim=1)


def merge_heads(x):
    return torch.cat(list(x.unbind(1)), dim=-1)


cut = (split_heads, merge_heads)
