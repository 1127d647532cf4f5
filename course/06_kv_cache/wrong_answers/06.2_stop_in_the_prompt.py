# exercise: 06.2
# reason: stops-at-the-prompt
# passes the visible example: yes
# story: looks for the stop in the whole text, the prompt included
def decode(machine, prompt, count, stop):
    box, fresh, text = machine.new_box(), list(prompt), list(prompt)
    while len(text) - len(prompt) < count and stop not in text:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        text += fresh
    return text[len(prompt):]
