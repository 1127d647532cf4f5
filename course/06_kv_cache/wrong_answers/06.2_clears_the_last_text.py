# exercise: 06.2
# reason: overwrites-its-answers
# passes the visible example: yes
# story: one list for all texts, emptied at the start of the next, also for whoever still reads it
NEW = []


def decode(machine, prompt, count, stop):
    NEW.clear()
    box, fresh = machine.new_box(), list(prompt)
    while len(NEW) < count and stop not in NEW:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        NEW.extend(fresh)
    return NEW
