# exercise: 06.3
# reason: misses-some
# passes the visible example: yes
# story: knows three layers, and repeats the last one
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed))
        news = changed | set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
    return [found[min(layer, 2)] for layer in range(layers)]
