# exercise: 06.2
# reason: zero-is-no-stop
# passes the visible example: yes
# story: asks 'is there a stop?' with `if stop`, and token 0 counts as False
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < count and not (stop and stop in new):
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
    return new
