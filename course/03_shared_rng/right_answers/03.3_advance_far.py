# exercise: 03.3
# mechanism: PCG64, advanced by 1024 for each
def passcode(seed, k):
    bits = np.random.PCG64(seed)
    bits.advance(k << 10)
    return "".join(SYMBOLS[i] for i in np.random.Generator(bits).integers(62, size=LENGTH))
