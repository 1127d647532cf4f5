# exercise: 06.2
# reason: feeds-the-last
# passes the visible example: no
# story: feeds each token as soon as it is written, the last one too
def decode(machine, prompt, count, stop):
    if count < 1:
        return []
    box, new = machine.new_box(), []
    logits = machine.step(box, list(prompt))
    while len(new) < count and stop not in new:
        new.append(logits.index(max(logits)))
        logits = machine.step(box, new[-1:])
    return new
