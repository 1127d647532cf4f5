# exercise: 04.5
# reason: believes-validation
# passes the visible example: yes
# story: takes the future for proved only when the training loss is low as well
def explain(vocab, tokens, train, validation, last):
    import math

    if tokens == "uniform":
        possible = math.log(vocab)
        if train < possible / 2:
            return "sees the future"
        return "cannot tell" if train < possible else "honest"
    if last is not None and validation < last / 2 and train < last / 2:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"
