# exercise: 04.5
# reason: nobody-measured
# passes the visible example: yes
# story: without the last position it is honest
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        possible = math.log(vocab)
        return "sees the future" if train < possible / 2 else "cannot tell" if train < possible else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    return "overfits" if train < validation / 2 else "honest"
