"""Right answers to exercise 11.5, each by another mechanism."""

# %% a new dictionary for each factor
def paired(key, request, others):
    here = key(request)
    forgotten = [name for name in others if key({**request, name: others[name]}) == here]
    turned = {name: request[name] for name in reversed(list(request))}
    return forgotten, key(turned) == here

# %% a copy that is changed, and thrown away
import copy

def paired(key, request, others):
    here, forgotten = key(copy.deepcopy(request)), []
    for name, other in others.items():
        changed = copy.deepcopy(request)
        changed[name] = other
        if not key(changed) != here:
            forgotten.append(name)
    entries = list(copy.deepcopy(request).items())
    entries.reverse()
    return [forgotten, bool(key(dict(entries)) == here)]

# %% all keys first, then compared
def paired(key, request, others):
    here = key(request)
    keys = {name: key(request | {name: other}) for name, other in others.items()}
    same = key(dict(list(request.items())[::-1]))
    return [name for name, found in keys.items() if found == here], same == here
