# exercise: 06.2
# mechanism: a generator of tokens, cut off after count
from itertools import islice


def decode(machine, prompt, count, stop):
    def tokens():
        box, fresh = machine.new_box(), prompt[:]
        while True:
            logits = machine.step(box, fresh)
            fresh = [logits.index(max(logits))]
            yield fresh[0]
            if fresh[0] == stop:
                return
    return list(islice(tokens(), count))
