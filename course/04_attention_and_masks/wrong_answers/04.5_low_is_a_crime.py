# exercise: 04.5
# reason: accuses-a-good-model
# passes the visible example: yes
# story: a loss below one half must be cheating
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        possible = math.log(vocab)
        return "sees the future" if train < possible / 2 else "cannot tell" if train < possible else "honest"
    if validation < 0.5:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"
