# exercise: 06.3
# reason: wrong-axis
# passes the visible example: no
# story: reads the mask by columns
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed))
        news = changed | set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[j][i] for j in news)}
    return found
