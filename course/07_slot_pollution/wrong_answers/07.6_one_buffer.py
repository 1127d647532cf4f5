# exercise: 07.6
# reason: one-batch-for-all
# passes the visible example: no
# story: saves memory: every batch is a view of one buffer
buffer = torch.empty(64, 256, dtype=torch.int64)

def pad(prompts, filler, side):
    width = max(len(prompt) for prompt in prompts)
    lengths = torch.tensor([len(prompt) for prompt in prompts])[:, None]
    first = width - lengths if side == "left" else 0 * lengths
    column = torch.arange(width)
    real = (first <= column) & (column < first + lengths)
    tokens = buffer[: len(prompts), :width]
    tokens[:] = filler
    tokens[real] = torch.tensor([token for prompt in prompts for token in prompt])
    return tokens, real, (column - first) * real, (first + lengths - 1).flatten()
