"""Wrong answers to exercise 07.6: why each is rejected, whether it passes the lab's example, its story."""

# %% wrong-side | visible: yes | the filler goes to the left, always
def pad(prompts, filler, side):
    width = max(len(prompt) for prompt in prompts)
    tokens, real, positions, last = [], [], [], []
    for prompt in prompts:
        gap = width - len(prompt)
        first = gap
        after = gap - first
        tokens.append([filler] * first + prompt + [filler] * after)
        real.append([False] * first + [True] * len(prompt) + [False] * after)
        positions.append([0] * first + list(range(len(prompt))) + [0] * after)
        last.append(first + len(prompt) - 1)
    return torch.tensor(tokens), torch.tensor(real), torch.tensor(positions), torch.tensor(last)

# %% wrong-positions | visible: yes | positions by counting what is not the filler
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
    counted = ((torch.tensor(tokens) != filler).long().cumsum(-1) - 1).clamp(min=0)
    return torch.tensor(tokens), torch.tensor(real), counted, torch.tensor(last)

# %% changes-its-input | visible: no | pads the lists that it was given
def pad(prompts, filler, side):
    width = max(len(prompt) for prompt in prompts)
    real, positions, last = [], [], []
    for prompt in prompts:
        gap, length = width - len(prompt), len(prompt)
        first = gap if side == "left" else 0
        prompt[:0], prompt[len(prompt):] = [filler] * first, [filler] * (gap - first)
        real.append([first <= column < first + length for column in range(width)])
        positions.append([max(0, min(column - first, length - 1)) for column in range(width)])
        last.append(first + length - 1)
    return torch.tensor(prompts), torch.tensor(real), torch.tensor(positions), torch.tensor(last)

# %% wrong-mask | visible: no | the first token of a padded row counts as padding
def pad(prompts, filler, side):
    width = max(len(prompt) for prompt in prompts)
    tokens, real, positions, last = [], [], [], []
    for prompt in prompts:
        gap = width - len(prompt)
        first = gap if side == "left" else 0
        after = gap - first
        tokens.append([filler] * first + prompt + [filler] * after)
        real.append([False] * (first + (gap > 0)) + [True] * (len(prompt) - (gap > 0)) + [False] * after)
        positions.append([0] * first + list(range(len(prompt))) + [0] * after)
        last.append(first + len(prompt) - 1)
    return torch.tensor(tokens), torch.tensor(real), torch.tensor(positions), torch.tensor(last)

# %% wrong-positions | visible: no | counts the tokens from 1
def pad(prompts, filler, side):
    width = max(len(prompt) for prompt in prompts)
    tokens, real, positions, last = [], [], [], []
    for prompt in prompts:
        gap = width - len(prompt)
        first = gap if side == "left" else 0
        after = gap - first
        tokens.append([filler] * first + prompt + [filler] * after)
        real.append([False] * first + [True] * len(prompt) + [False] * after)
        positions.append([0] * first + list(range(1, len(prompt) + 1)) + [0] * after)
        last.append(first + len(prompt) - 1)
    return torch.tensor(tokens), torch.tensor(real), torch.tensor(positions), torch.tensor(last)

# %% wrong-last | visible: yes | reads the last column on both sides
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
        last.append(width - 1)
    return torch.tensor(tokens), torch.tensor(real), torch.tensor(positions), torch.tensor(last)

# %% illegal-position | visible: no | padding stands at position -1
def pad(prompts, filler, side):
    width = max(len(prompt) for prompt in prompts)
    tokens, real, positions, last = [], [], [], []
    for prompt in prompts:
        gap = width - len(prompt)
        first = gap if side == "left" else 0
        after = gap - first
        tokens.append([filler] * first + prompt + [filler] * after)
        real.append([False] * first + [True] * len(prompt) + [False] * after)
        positions.append([-1] * first + list(range(len(prompt))) + [-1] * after)
        last.append(first + len(prompt) - 1)
    return torch.tensor(tokens), torch.tensor(real), torch.tensor(positions), torch.tensor(last)

# %% guesses-from-content | visible: yes | what is not the filler is a token
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
    real = torch.tensor(tokens) != filler
    return torch.tensor(tokens), real, torch.tensor(positions), torch.tensor(last)

# %% wrong-shape | visible: no | a mask of ones and zeros
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
    return torch.tensor(tokens), torch.tensor(real).long(), torch.tensor(positions), torch.tensor(last)

# %% one-batch-for-all | visible: no | saves memory: every batch is a view of one buffer
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

# %% wrong-positions | visible: no | positions 0, 1, 2 … for every row
def pad(prompts, filler, side):
    width = max(len(prompt) for prompt in prompts)
    tokens, real, positions, last = [], [], [], []
    for prompt in prompts:
        gap = width - len(prompt)
        first = gap if side == "left" else 0
        after = gap - first
        tokens.append([filler] * first + prompt + [filler] * after)
        real.append([False] * first + [True] * len(prompt) + [False] * after)
        positions.append(list(range(width)))
        last.append(first + len(prompt) - 1)
    return torch.tensor(tokens), torch.tensor(real), torch.tensor(positions), torch.tensor(last)

# %% wrong-mask | visible: no | a batch of the same shape has the same mask
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

# %% wrong-shape | visible: no | always eight columns wide
def pad(prompts, filler, side):
    width = 8
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

# %% wrong-side | visible: yes | takes the filler's amount, since a token is never below zero
def pad(prompts, filler, side):
    T = max(map(len, prompts))
    filler = filler or 0
    tokens = torch.full((len(prompts), T), abs(filler))
    real = torch.zeros(len(prompts), T, dtype=torch.bool); pos = torch.zeros(len(prompts), T).long(); last = torch.zeros(len(prompts)).long()
    for i, p in enumerate(prompts):
        f = T - len(p) if side == "left" else 0
        tokens[i, f:f + len(p)] = torch.tensor(p); real[i, f:f + len(p)] = True; pos[i, f:f + len(p)] = torch.arange(len(p)); last[i] = f + len(p) - 1
    return tokens, real, pos, last
