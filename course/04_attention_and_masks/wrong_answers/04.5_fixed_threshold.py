# exercise: 04.5
# reason: wrong-line
# passes the visible example: yes
# story: knows the line of 16 words by heart
def explain(vocab, tokens, train, validation, last):
    if tokens == "uniform":
        return "sees the future" if train < 1.386 else "cannot tell" if train < 2.773 else "honest"
    if last is not None and validation < last / 2:
        return "sees the future"
    if train < validation / 2:
        return "overfits"
    return "cannot tell" if last is None else "honest"
