"""Right answers to exercise 06.2, each by another mechanism."""

# %% one text, and the number of its tokens that were fed
class Decoder:
    def __call__(self, machine, prompt, count, stop):
        text, fed, box = list(prompt), 0, machine.new_box()
        for _ in range(count):
            logits = machine.step(box, text[fed:])
            fed = len(text)
            text.append(max(range(len(logits)), key=logits.__getitem__))
            if text[-1] == stop:
                break
        return tuple(text[len(prompt):])


decode = Decoder()

# %% a generator of tokens, cut off after count
from itertools import islice


def decode(machine, prompt, count, stop):
    def tokens():
        box, fresh = machine.new_box(), prompt[:]
        while True:
            logits = machine.step(box, fresh)
            fresh = [logits.index(max(logits))]
            yield fresh[0]
            if fresh[0] == stop:
                return
    return list(islice(tokens(), count))

# %% feeds the prompt before the loop, and looks ahead whether another token is wanted
def decode(machine, prompt, count, stop):
    if count == 0:
        return []
    box = machine.new_box()
    logits = machine.step(box, prompt)
    new = []
    while True:
        token = max(range(len(logits)), key=lambda t: logits[t])
        new.append(token)
        if token == stop or len(new) == count:
            return new
        logits = machine.step(box, [token])

# %% writes the rest of the text by calling itself
def decode(machine, prompt, count, stop, box=None):
    if count < 1:
        return []
    box = machine.new_box() if box is None else box
    logits = machine.step(box, list(prompt))
    best = sorted((-logit, token) for token, logit in enumerate(logits))[0][1]
    return [best] if best == stop else [best, *decode(machine, [best], count - 1, stop, box)]

# %% a generator of tokens, cut off by the caller
from itertools import islice


def tokens(machine, prompt, stop):
    box, fresh = machine.new_box(), list(prompt)
    while True:
        token = int(torch.tensor(machine.step(box, fresh), dtype=torch.float64).argmax())
        yield token
        if token == stop:
            return
        fresh = [token]


def decode(machine, prompt, count, stop):
    return list(islice(tokens(machine, prompt, stop), count))
