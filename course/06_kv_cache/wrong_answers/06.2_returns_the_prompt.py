# exercise: 06.2
# reason: returns-the-prompt
# passes the visible example: no
# story: returns the whole text
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < count and stop not in new:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
    return [*prompt, *new]
