# exercise: 04.5
# reason: wrong-line
# passes the visible example: yes
# story: takes every dip below ln V for proof
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        return "sees the future" if train < math.log(vocab) else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"
