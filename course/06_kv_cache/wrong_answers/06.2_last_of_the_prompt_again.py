# exercise: 06.2
# reason: feeds-again
# passes the visible example: no
# story: prefills the prompt, then begins the loop with its last token
def decode(machine, prompt, count, stop):
    box, new, token = machine.new_box(), [], prompt[-1]
    if count:
        machine.step(box, list(prompt))
    while len(new) < count and stop not in new:
        logits = machine.step(box, [token])
        token = logits.index(max(logits))
        new.append(token)
    return new
