# exercise: 06.3
# reason: overwrites-its-answers
# passes the visible example: no
# story: the list of layers is made once and emptied at each call, and earlier answers with it
FOUND = []


def stale(mask, old, layers):
    FOUND.clear()
    changed = set()
    for _ in range(layers):
        FOUND.append(sorted(changed))
        news = changed | set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
    return FOUND
