# exercise: 06.2
# reason: too-few
# passes the visible example: yes
# story: writes sixteen tokens at most
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < min(count, 16) and stop not in new:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
    return new
