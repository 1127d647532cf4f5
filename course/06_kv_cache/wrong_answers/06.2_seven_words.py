# exercise: 06.2
# reason: wrong-tokens
# passes the visible example: yes
# story: looks at seven logits, since the toy has seven
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < count and stop not in new:
        logits = machine.step(box, fresh)
        fresh = [max(range(7), key=logits.__getitem__)]
        new += fresh
    return new
