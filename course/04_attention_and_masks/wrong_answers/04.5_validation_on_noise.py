# exercise: 04.5
# reason: wrong-line
# passes the visible example: yes
# story: judges noise by the validation loss, and takes the training loss for text alone
def explain(vocab, tokens, train, validation, last):
    import math

    if tokens == "uniform":
        possible = math.log(vocab)
        if validation < possible / 2:
            return "sees the future"
        return "cannot tell" if validation < possible else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"
