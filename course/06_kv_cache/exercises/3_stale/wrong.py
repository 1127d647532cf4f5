"""Wrong answers to exercise 06.3: why each is rejected, whether it passes the lab's example, its story."""

# %% all-or-nothing | visible: yes | one word that looks ahead spoils the whole box above layer 0
def stale(mask, old, layers):
    ahead = any(any(row[old:]) for row in mask[:old])
    return [list(range(old)) if ahead and layer else [] for layer in range(layers)]

# %% nothing-goes-stale | visible: yes | "a key belongs to its own word": nothing ever goes stale
def stale(mask, old, layers):
    return [[] for _ in range(layers)]

# %% all-or-nothing | visible: yes | asks whether the mask is causal, and gives all or nothing
def stale(mask, old, layers):
    causal = not any(mask[i][j] for i in range(old) for j in range(max(old, i + 1), len(mask)))
    return [[] if causal or layer == 0 else list(range(old)) for layer in range(layers)]

# %% changes-its-input | visible: no | marks in the caller's mask what it has seen
def stale(mask, old, layers):
    for i in range(len(mask)):
        mask[i][i] = False
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed))
        news = changed | set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
    return found

# %% too-far-at-once | visible: yes | computes who can ever hear of the new words, and gives that for every layer
def stale(mask, old, layers):
    reached = set(range(old, len(mask)))
    while True:
        more = {i for i in range(old) if any(mask[i][j] for j in reached)} | reached
        if more == reached:
            break
        reached = more
    return [sorted(i for i in reached if i < old) if layer else [] for layer in range(layers)]

# %% counts-new-words | visible: no | lists the new words as well
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed | set(range(old, len(mask)))))
        news = changed | set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
    return found

# %% not-passed-on | visible: yes | asks who looks at a new word, and forgets that news is passed on
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed))
        news = set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
    return found

# %% misses-some | visible: yes | news stops after five layers: no test went deeper
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed))
        news = changed | set(range(old, len(mask)))
        if len(found) > 5:
            continue
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
    return found

# %% in-one-sweep | visible: yes | adds words to the set while it goes through them: news runs through the layer
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed))
        for i in range(old):
            if any(mask[i][j] and (j >= old or j in changed) for j in range(len(mask))):
                changed.add(i)
    return found

# %% one-layer-early | visible: yes | lets the key be made after its own layer's attention
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        news = changed | set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
        found.append(sorted(changed))
    return found

# %% misses-some | visible: yes | one list for all layers: what is written last stands everywhere
def stale(mask, old, layers):
    ahead = sorted(i for i in range(old) if any(mask[i][old:]) and not any(mask[i][:i]))
    return [[], *[ahead] * (layers - 1)]

# %% overwrites-its-answers | visible: no | the list of layers is made once and emptied at each call, and earlier answers with it
FOUND = []


def stale(mask, old, layers):
    FOUND.clear()
    changed = set()
    for _ in range(layers):
        FOUND.append(sorted(changed))
        news = changed | set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
    return FOUND

# %% misses-some | visible: yes | knows three layers, and repeats the last one
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed))
        news = changed | set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
    return [found[min(layer, 2)] for layer in range(layers)]

# %% misses-some | visible: yes | two words are added in the example, so it looks for two
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed))
        news = changed | {j for j in (old, old + 1) if j < len(mask)}
        changed = {i for i in range(old) if any(mask[i][j] for j in news)}
    return found

# %% wrong-axis | visible: no | reads the mask by columns
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed))
        news = changed | set(range(old, len(mask)))
        changed = {i for i in range(old) if any(mask[j][i] for j in news)}
    return found

# %% wrong-shape | visible: no | gives a set for each layer
def stale(mask, old, layers):
    spoilt, found = set(), []
    for _ in range(layers):
        found.append(set(spoilt))
        heard = spoilt | {*range(old, len(mask))}
        spoilt = {word for word in range(old) if any(mask[word][other] for other in heard)}
    return found

# %% wrong-order | visible: yes | sorts the places as texts: 10 before 9
def stale(mask, old, layers):
    changed, found = set(), []
    for _ in range(layers):
        found.append(sorted(changed, key=str))
        changed = {i for i in range(old) if any(mask[i][j] for j in range(len(mask)) if j in changed or j >= old)}
    return found
