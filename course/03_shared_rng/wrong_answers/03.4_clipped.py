# exercise: 03.4
# reason: biased
# passes the visible example: yes
# story: what is too large becomes the last symbol
def to_symbols(raw):
    return CODES[np.minimum(raw, 61)]
