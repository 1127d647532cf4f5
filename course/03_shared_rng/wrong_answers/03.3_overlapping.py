# exercise: 03.3
# reason: biased
# passes the visible example: yes
# story: advances by one draw, so neighbours share most of their symbols
def passcode(seed, k):
    bits = np.random.PCG64(seed)
    bits.advance(k)
    return "".join(SYMBOLS[i] for i in np.random.Generator(bits).integers(62, size=LENGTH))
