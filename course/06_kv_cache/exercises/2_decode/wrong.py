"""Wrong answers to exercise 06.2: why each is rejected, whether it passes the lab's example, its story."""

# %% too-many | visible: yes | writes a token before it asks how many are wanted
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while True:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
        if len(new) >= count or stop in new:
            return new

# %% stops-at-the-prompt | visible: yes | asks whether the newest token is the stop, and at first that is the prompt's last one
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < count and fresh[-1] != stop:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
    return new

# %% wrong-tokens | visible: no | looks for the largest logit above zero; all lie below
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < count and stop not in new:
        best, largest = 0, 0.0
        for token, logit in enumerate(machine.step(box, fresh)):
            if logit > largest:
                best, largest = token, logit
        fresh = [best]
        new += fresh
    return new

# %% one-box-for-two | visible: yes | keeps the box beside the machine, for the next text too
def decode(machine, prompt, count, stop):
    if not hasattr(machine, "box"):
        machine.box = machine.new_box()
    fresh, new = list(prompt), []
    while len(new) < count and stop not in new:
        logits = machine.step(machine.box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
    return new

# %% overwrites-its-answers | visible: yes | one list for all texts, emptied at the start of the next, also for whoever still reads it
NEW = []


def decode(machine, prompt, count, stop):
    NEW.clear()
    box, fresh = machine.new_box(), list(prompt)
    while len(NEW) < count and stop not in NEW:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        NEW.extend(fresh)
    return NEW

# %% feeds-the-last | visible: no | feeds each token as soon as it is written, the last one too
def decode(machine, prompt, count, stop):
    if count < 1:
        return []
    box, new = machine.new_box(), []
    logits = machine.step(box, list(prompt))
    while len(new) < count and stop not in new:
        new.append(logits.index(max(logits)))
        logits = machine.step(box, new[-1:])
    return new

# %% changes-its-input | visible: no | appends the new tokens to the caller's prompt
def decode(machine, prompt, count, stop):
    box, start, fresh = machine.new_box(), len(prompt), list(prompt)
    while len(prompt) - start < count and stop not in prompt[start:]:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        prompt += fresh
    return prompt[start:]

# %% one-box-for-two | visible: yes | keeps what it wrote for a prompt, and answers the next one without a box
KNOWN = {}


def decode(machine, prompt, count, stop):
    asked = (id(machine), *prompt, count, stop)
    if asked in KNOWN:
        return KNOWN[asked]
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < count and stop not in new:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
    KNOWN[asked] = new
    return new

# %% feeds-again | visible: no | prefills the prompt, then begins the loop with its last token
def decode(machine, prompt, count, stop):
    box, new, token = machine.new_box(), [], prompt[-1]
    if count:
        machine.step(box, list(prompt))
    while len(new) < count and stop not in new:
        logits = machine.step(box, [token])
        token = logits.index(max(logits))
        new.append(token)
    return new

# %% does-not-stop | visible: yes | counts only
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < count:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
    return new

# %% feeds-for-nothing | visible: yes | prefills before it asks whether any token is wanted
def decode(machine, prompt, count, stop):
    box, new = machine.new_box(), []
    logits = machine.step(box, list(prompt))
    while len(new) < count:
        token = logits.index(max(logits))
        new.append(token)
        if token == stop or len(new) == count:
            break
        logits = machine.step(box, [token])
    return new

# %% prompt-in-pieces | visible: no | feeds the prompt token by token
def decode(machine, prompt, count, stop):
    box, new, logits = machine.new_box(), [], None
    if count:
        for token in prompt:
            logits = machine.step(box, [token])
    while len(new) < count and stop not in new:
        if new:
            logits = machine.step(box, new[-1:])
        new.append(logits.index(max(logits)))
    return new

# %% returns-the-prompt | visible: no | returns the whole text
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < count and stop not in new:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
    return [*prompt, *new]

# %% wrong-tokens | visible: yes | looks at seven logits, since the toy has seven
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < count and stop not in new:
        logits = machine.step(box, fresh)
        fresh = [max(range(7), key=logits.__getitem__)]
        new += fresh
    return new

# %% too-few | visible: yes | writes sixteen tokens at most
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < min(count, 16) and stop not in new:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
    return new

# %% stops-at-the-prompt | visible: yes | looks for the stop in the whole text, the prompt included
def decode(machine, prompt, count, stop):
    box, fresh, text = machine.new_box(), list(prompt), list(prompt)
    while len(text) - len(prompt) < count and stop not in text:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        text += fresh
    return text[len(prompt):]

# %% loses-the-stop | visible: yes | leaves the stop out of the answer
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < count:
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        if fresh == [stop]:
            break
        new += fresh
    return new

# %% feeds-again | visible: no | feeds the whole text in each step, into a new box
def decode(machine, prompt, count, stop):
    new = []
    while len(new) < count and stop not in new:
        logits = machine.step(machine.new_box(), [*prompt, *new])
        new.append(logits.index(max(logits)))
    return new

# %% zero-is-no-stop | visible: yes | asks 'is there a stop?' with `if stop`, and token 0 counts as False
def decode(machine, prompt, count, stop):
    box, fresh, new = machine.new_box(), list(prompt), []
    while len(new) < count and not (stop and stop in new):
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
    return new

# %% one-box-for-two | visible: yes | keeps the new tokens with the prompt's list, found again by its id
WRITTEN = {}


def decode(machine, prompt, count, stop):
    key = id(machine), id(prompt), count, stop
    if key not in WRITTEN:
        box, fresh, new = machine.new_box(), list(prompt), []
        while len(new) < count and stop not in new:
            logits = machine.step(box, fresh)
            fresh = [logits.index(max(logits))]
            new += fresh
        WRITTEN[key] = machine, prompt, new
    return list(WRITTEN[key][2])

# %% does-not-stop | visible: yes | compares tokens with `is`: equal small numbers are one object, larger ones are two
def decode(machine, prompt, count, stop):
    new, box, fresh = [], machine.new_box(), list(prompt)
    while len(new) < count and (not new or new[-1] is not stop):
        logits = machine.step(box, fresh)
        fresh = [logits.index(max(logits))]
        new += fresh
    return new

# %% changes-its-input | visible: no | empties the list of logits when it has read it
def decode(machine, prompt, count, stop):
    new, box, fresh = [], machine.new_box(), list(prompt)
    while len(new) < count and (not new or new[-1] != stop):
        logits = machine.step(box, fresh)
        best = logits.index(max(logits))
        logits.clear()
        fresh = [best]
        new += fresh
    return new
