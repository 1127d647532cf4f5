# exercise: 07.6
# reason: changes-its-input
# passes the visible example: no
# story: pads the lists that it was given
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
