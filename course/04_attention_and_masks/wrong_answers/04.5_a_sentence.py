# exercise: 04.5
# reason: no-such-word
# passes the visible example: no
# story: explains in words of its own
def explain(vocab, tokens, train, validation, last):
    return "the model probably has no causal mask"
