# exercise: 06.3
# reason: one-layer-early
# passes the visible example: yes
# story: lets the key be made after its own layer's attention
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        news = changed | set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
        found.append(sorted(changed))
    return found
