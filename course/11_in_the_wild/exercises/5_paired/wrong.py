"""Wrong answers to exercise 11.5: why each is rejected, whether it passes the lab's example, its story."""

# %% only-what-is-there | visible: yes | only factors that the request has
def paired(key, request, others):
    here = key(request)
    forgotten = [name for name, other in others.items()
                 if name in request and key({**request, name: other}) == here]
    return forgotten, key(dict(reversed(list(request.items())))) == here

# %% changes-its-input | visible: no | changes the request itself
def paired(key, request, others):
    here = key(request)
    hits = key(dict(reversed(list(request.items())))) == here
    forgotten = []
    for name, other in others.items():
        request[name] = other
        if key(request) == here:
            forgotten.append(name)
    return forgotten, hits

# %% changes-two | visible: yes | from change to change, never back
def paired(key, request, others):
    here, mine, forgotten = key(request), dict(request), []
    for name, other in others.items():
        mine[name] = other
        if key(mine) == here:
            forgotten.append(name)
    return forgotten, key(dict(reversed(list(request.items())))) == here

# %% forgets-the-pair | visible: yes | a hit is taken for granted
def paired(key, request, others):
    here = key(request)
    return [name for name, other in others.items() if key({**request, name: other}) == here], True

# %% forgets-the-pair | visible: yes | the same dictionary, in the same order
def paired(key, request, others):
    here = key(request)
    return [name for name, other in others.items() if key({**request, name: other}) == here], key(dict(request)) == here

# %% misses-a-factor | visible: no | the factors that the key sees
def paired(key, request, others):
    here = key(request)
    seen = [name for name, other in others.items() if key({**request, name: other}) != here]
    return seen, key(dict(reversed(list(request.items())))) == here

# %% out-of-order | visible: yes | in the order of the alphabet
def paired(key, request, others):
    here = key(request)
    forgotten = sorted(name for name, other in others.items() if key({**request, name: other}) == here)
    return forgotten, key(dict(reversed(list(request.items())))) == here

# %% misses-a-factor | visible: yes | the first one is enough
def paired(key, request, others):
    here = key(request)
    for name, other in others.items():
        if key({**request, name: other}) == here:
            return [name], key(dict(reversed(list(request.items())))) == here
    return [], key(dict(reversed(list(request.items())))) == here

# %% only-what-is-there | visible: yes | takes the entry out, and puts it at the end
def paired(key, request, others):
    here = key(request)
    forgotten = []
    for name, other in others.items():
        changed = {old: value for old, value in request.items() if old != name}
        changed[name] = other
        if key(changed) == here:
            forgotten.append(name)
    return forgotten, key(dict(reversed(list(request.items())))) == here

# %% exception | visible: no | the key as a dictionary's entry
def paired(key, request, others):
    return [name for name in others if key[name] == key(request)], True
