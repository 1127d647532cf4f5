# exercise: 06.3
# reason: all-or-nothing
# passes the visible example: yes
# story: one word that looks ahead spoils the whole box above layer 0
def stale(mask, old, layers):
    ahead = any(any(row[old:]) for row in mask[:old])
    return [list(range(old)) if ahead and layer else [] for layer in range(layers)]
