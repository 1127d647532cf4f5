# exercise: 06.3
# reason: too-far-at-once
# passes the visible example: yes
# story: computes who can ever hear of the new words, and gives that for every layer
def stale(mask, old, layers):
    reached = set(range(old, len(mask)))
    while True:
        more = {i for i in range(old) if any(mask[i][j] for j in reached)} | reached
        if more == reached:
            break
        reached = more
    return [sorted(i for i in reached if i < old) if layer else [] for layer in range(layers)]
