# exercise: 06.2
# reason: too-many
# passes the visible example: yes
# story: writes a token before it asks how many are wanted
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while True:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
        if len(new) >= count or stop in new:
            return new
