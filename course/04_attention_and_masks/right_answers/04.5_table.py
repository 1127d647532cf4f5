# exercise: 04.5
# mechanism: a list of conditions, the first that holds decides
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
