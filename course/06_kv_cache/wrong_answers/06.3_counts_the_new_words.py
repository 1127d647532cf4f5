# exercise: 06.3
# reason: counts-new-words
# passes the visible example: no
# story: lists the new words as well
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed | set(range(old, len(mask)))))
        news = changed | set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
    return found
