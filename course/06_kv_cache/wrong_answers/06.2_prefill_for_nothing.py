# exercise: 06.2
# reason: feeds-for-nothing
# passes the visible example: yes
# story: prefills before it asks whether any token is wanted
def decode(machine, prompt, count, stop):
    box, new = machine.new_box(), []
    logits = machine.step(box, list(prompt))
    while len(new) < count:
        token = logits.index(max(logits))
        new.append(token)
        if token == stop or len(new) == count:
            break
        logits = machine.step(box, [token])
    return new
