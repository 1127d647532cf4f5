# exercise: 06.3
# reason: changes-its-input
# passes the visible example: no
# story: marks in the caller's mask what it has seen
def stale(mask, old, layers):
    for i in range(len(mask)):
        mask[i][i] = False
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed))
        news = changed | set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
    return found
