"""Right answers to exercise 04.5, each by another mechanism."""

# %% compares numbers of equal choices instead of losses
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

# %% a list of conditions, the first that holds decides
import math


def explain(vocab, tokens, train, validation, last):
    noise, measured = tokens == "uniform", last is not None
    rules = [
        (noise and train < 0.5 * math.log(vocab), "sees the future"),
        (noise and train < math.log(vocab), "cannot tell"),
        (noise, "honest"),
        (measured and 2 * validation < last, "sees the future"),
        (2 * train < validation, "overfits"),
        (measured, "honest"),
    ]
    return next((word for holds, word in rules if holds), "cannot tell")
