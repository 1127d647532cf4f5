# exercise: 04.5
# mechanism: compares numbers of equal choices instead of losses
import math


def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        choices = math.exp(train)
        if choices * choices < vocab:
            return "sees the future"
        return "honest" if choices >= vocab else "cannot tell"
    if last is None:
        return "overfits" if train < validation / 2 else "cannot tell"
    if validation / last < 0.5:
        return "sees the future"
    return "overfits" if train / validation < 0.5 else "honest"
