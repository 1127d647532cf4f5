# exercise: 06.3
# reason: in-one-sweep
# passes the visible example: yes
# story: adds words to the set while it goes through them: news runs through the layer
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed))
        for i in range(old):
            if any(mask[i][j] and (j >= old or j in changed) for j in range(len(mask))):
                changed.add(i)
    return found
