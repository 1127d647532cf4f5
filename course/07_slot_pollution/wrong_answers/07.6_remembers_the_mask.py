# exercise: 07.6
# reason: wrong-mask
# passes the visible example: no
# story: a batch of the same shape has the same mask
masks = {}

def pad(prompts, filler, side):
    width = max(len(prompt) for prompt in prompts)
    lengths = torch.tensor([len(prompt) for prompt in prompts])[:, None]
    first = width - lengths if side == "left" else 0 * lengths
    column = torch.arange(width)
    real = (first <= column) & (column < first + lengths)
    tokens = torch.full_like(real, filler, dtype=torch.int64)
    tokens[real] = torch.tensor([token for prompt in prompts for token in prompt])
    real = masks.setdefault((*real.shape, side), real)
    return tokens, real, (column - first) * real, (first + lengths - 1).flatten()
