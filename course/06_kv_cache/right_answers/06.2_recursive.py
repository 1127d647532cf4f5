# exercise: 06.2
# mechanism: writes the rest of the text by calling itself
def decode(machine, prompt, count, stop, box=None):
    if count < 1:
        return []
    box = machine.new_box() if box is None else box
    logits = machine.step(box, list(prompt))
    best = sorted((-logit, token) for token, logit in enumerate(logits))[0][1]
    return [best] if best == stop else [best, *decode(machine, [best], count - 1, stop, box)]
