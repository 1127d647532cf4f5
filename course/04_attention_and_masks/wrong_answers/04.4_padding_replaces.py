# exercise: 04.4
# reason: sees-the-future
# passes the visible example: no
# story: returns the padding mask alone
def who_may_look(tokens, q_len):
    return tokens[:, None, None, :].expand(-1, 1, q_len, -1)
