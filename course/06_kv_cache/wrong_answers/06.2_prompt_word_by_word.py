# exercise: 06.2
# reason: prompt-in-pieces
# passes the visible example: no
# story: feeds the prompt token by token
def decode(machine, prompt, count, stop):
    box, new, logits = machine.new_box(), [], None
    if count:
        for token in prompt:
            logits = machine.step(box, [token])
    while len(new) < count and stop not in new:
        if new:
            logits = machine.step(box, new[-1:])
        new.append(logits.index(max(logits)))
    return new
