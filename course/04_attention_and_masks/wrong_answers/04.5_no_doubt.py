# exercise: 04.5
# reason: luck-is-no-proof
# passes the visible example: yes
# story: calls everything honest that is not proved to cheat
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        return "sees the future" if train < math.log(vocab) / 2 else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"
