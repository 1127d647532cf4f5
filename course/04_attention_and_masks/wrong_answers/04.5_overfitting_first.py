# exercise: 04.5
# reason: takes-it-for-overfitting
# passes the visible example: yes
# story: asks for overfitting before it asks for the future
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        possible = math.log(vocab)
        return "sees the future" if train < possible / 2 else "cannot tell" if train < possible else "honest"
    if train < validation / 2:
        return "overfits"
    if last is not None and validation < last / 2:
        return "sees the future"
    return "cannot tell" if last is None else "honest"
