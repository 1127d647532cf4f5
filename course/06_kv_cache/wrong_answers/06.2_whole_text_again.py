# exercise: 06.2
# reason: feeds-again
# passes the visible example: no
# story: feeds the whole text in each step, into a new box
def decode(machine, prompt, count, stop):
    new = []
    while len(new) < count and stop not in new:
        logits = machine.step(machine.new_box(), [*prompt, *new])
        new.append(logits.index(max(logits)))
    return new
