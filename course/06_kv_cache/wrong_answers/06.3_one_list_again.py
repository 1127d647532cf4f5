# exercise: 06.3
# reason: misses-some
# passes the visible example: yes
# story: one list for all layers: what is written last stands everywhere
def stale(mask, old, layers):
    ahead = sorted(i for i in range(old) if any(mask[i][old:]) and not any(mask[i][:i]))
    return [[], *[ahead] * (layers - 1)]
