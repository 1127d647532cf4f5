# exercise: 07.6
# mechanism: a named tuple, each row padded by torch.nn.functional
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
