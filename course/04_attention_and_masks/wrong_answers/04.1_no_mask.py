# exercise: 04.1
# reason: sees-the-future
# passes the visible example: no
# story: a plain softmax
def causal_weights(scores):
    return scores.softmax(-1)
