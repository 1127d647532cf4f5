# exercise: 06.2
# reason: wrong-tokens
# passes the visible example: no
# story: looks for the largest logit above zero; all lie below
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < count and stop not in new:
        best, largest = 0, 0.0
        for token, logit in enumerate(machine.step(box, fresh)):
            if logit > largest:
                best, largest = token, logit
        fresh = [best]
        new += fresh
    return new
