# exercise: 07.6
# reason: wrong-positions
# passes the visible example: yes
# story: positions by counting what is not the filler
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
