# exercise: 06.2
# reason: one-box-for-two
# passes the visible example: yes
# story: keeps the box beside the machine, for the next text too
def decode(machine, prompt, count, stop):
    if not hasattr(machine, "box"):
        machine.box = machine.new_box()
    fresh, new = list(prompt), []
    while len(new) < count and stop not in new:
        logits = machine.step(machine.box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
    return new
