# exercise: 06.2
# reason: changes-its-input
# passes the visible example: no
# story: appends the new tokens to the caller's prompt
def decode(machine, prompt, count, stop):
    box, start, fresh = machine.new_box(), len(prompt), list(prompt)
    while len(prompt) - start < count and stop not in prompt[start:]:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        prompt += fresh
    return prompt[start:]
