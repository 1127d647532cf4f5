# exercise: 06.3
# reason: misses-some
# passes the visible example: yes
# story: news stops after five layers: no test went deeper
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed))
        news = changed | set(range(old, len(mask)))
        if len(found) > 5:
            continue
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
    return found
