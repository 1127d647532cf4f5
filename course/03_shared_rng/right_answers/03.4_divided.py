# exercise: 03.4
# mechanism: division instead of remainder
def to_symbols(raw):
    kept = np.asarray(raw)[np.asarray(raw) // 4 < 62]
    return CODES[kept // 4]
