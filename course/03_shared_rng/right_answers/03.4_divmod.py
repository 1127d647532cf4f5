# exercise: 03.4
# mechanism: divmod
def to_symbols(raw):
    rounds, places = np.divmod(raw, 62)
    return CODES[places[rounds < 4]]
