# exercise: 06.3
# reason: not-passed-on
# passes the visible example: yes
# story: asks who looks at a new word, and forgets that news is passed on
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed))
        news = set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
    return found
