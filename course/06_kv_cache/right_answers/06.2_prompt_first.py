# exercise: 06.2
# mechanism: feeds the prompt before the loop, and looks ahead whether another token is wanted
def decode(machine, prompt, count, stop):
    if count == 0:
        return []
    box = machine.new_box()
    logits = machine.step(box, prompt)
    new = []
    while True:
        token = max(range(len(logits)), key=lambda t: logits[t])
        new.append(token)
        if token == stop or len(new) == count:
            return new
        logits = machine.step(box, [token])
