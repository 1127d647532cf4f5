# exercise: 04.5
# reason: believes-validation
# passes the visible example: yes
# story: a good validation loss is good enough
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        possible = math.log(vocab)
        return "sees the future" if train < possible / 2 else "cannot tell" if train < possible else "honest"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"
