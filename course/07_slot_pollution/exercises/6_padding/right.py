"""Right answers to exercise 07.6, each by another mechanism."""

# %% counts the mask: positions by cumsum over what is real
def pad(prompts, filler, side):
    lengths = torch.tensor([len(prompt) for prompt in prompts])
    width = int(lengths.max())
    column = torch.arange(width)
    real = column < lengths[:, None]
    if side == "left":
        real = real.flip(-1)
    tokens = torch.full((len(prompts), width), filler)
    tokens[real] = torch.tensor([token for prompt in prompts for token in prompt])
    positions = (real.long().cumsum(-1) - 1).clamp(min=0)
    last = torch.where(real, column, -1).max(-1).values
    return tokens, real, positions, last

# %% a named tuple, each row padded by torch.nn.functional
from collections import namedtuple

Batch = namedtuple("Batch", "tokens real positions last")


def pad(prompts, filler, side):
    width = max(map(len, prompts))

    def filled(rows, value):
        gaps = [width - len(row) for row in rows]
        sides = [(gap, 0) if side == "left" else (0, gap) for gap in gaps]
        return torch.stack([torch.nn.functional.pad(row, gap, value=value) for row, gap in zip(rows, sides)])

    real = filled([torch.ones(len(prompt)) for prompt in prompts], 0) == 1
    last = torch.tensor([width - 1 if side == "left" else len(prompt) - 1 for prompt in prompts])
    return Batch(filled([torch.tensor(prompt) for prompt in prompts], filler), real,
                 filled([torch.arange(len(prompt)) for prompt in prompts], width - 1), last)

# %% lists for each row, made into tensors at the end
def pad(prompts, filler, side):
    width = max(len(prompt) for prompt in prompts)
    tokens, real, positions, last = [], [], [], []
    for prompt in prompts:
        gap = width - len(prompt)
        first = gap if side == "left" else 0
        after = gap - first
        tokens.append([filler] * first + prompt + [filler] * after)
        real.append([False] * first + [True] * len(prompt) + [False] * after)
        positions.append([0] * first + list(range(len(prompt))) + [0] * after)
        last.append(first + len(prompt) - 1)
    return torch.tensor(tokens), torch.tensor(real), torch.tensor(positions), torch.tensor(last)
