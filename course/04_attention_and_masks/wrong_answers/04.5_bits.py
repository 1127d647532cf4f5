# exercise: 04.5
# reason: wrong-line
# passes the visible example: yes
# story: counts in bits
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        possible = math.log2(vocab)
        return "sees the future" if train < possible / 2 else "cannot tell" if train < possible else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"
