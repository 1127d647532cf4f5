# exercise: 06.3
# reason: misses-some
# passes the visible example: yes
# story: two words are added in the example, so it looks for two
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed))
        news = changed | {j for j in (old, old + 1) if j < len(mask)}
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
    return found
