# exercise: 07.6
# reason: wrong-side
# passes the visible example: yes
# story: the filler goes to the left, always
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
