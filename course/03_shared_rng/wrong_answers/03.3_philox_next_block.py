# exercise: 03.3
# reason: overlap
# passes the visible example: yes
# story: a passcode takes two blocks of Philox, and the next number begins one block later
def passcode(seed, k):
    rng = np.random.Generator(np.random.Philox(key=seed, counter=k))
    return "".join(SYMBOLS[place] for place in rng.integers(62, size=LENGTH))
