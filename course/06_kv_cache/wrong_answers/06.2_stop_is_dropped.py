# exercise: 06.2
# reason: loses-the-stop
# passes the visible example: yes
# story: leaves the stop out of the answer
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < count:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        if fresh == [stop]:
            break
        new += fresh
    return new
