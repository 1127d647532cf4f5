# exercise: 06.2
# reason: stops-at-the-prompt
# passes the visible example: yes
# story: asks whether the newest token is the stop, and at first that is the prompt's last one
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < count and fresh[-1] != stop:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
    return new
