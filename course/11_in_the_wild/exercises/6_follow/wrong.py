"""Wrong answers to exercise 11.6: why each is rejected, whether it passes the lab's example, its story."""

# %% one-name | visible: yes | the state is called "past"
def follow(kept, parents):
    return {**kept, "past": [list(kept["past"][parent]) for parent in parents]} if "past" in kept else dict(kept)

# %% rows-alone | visible: yes | only lists of lists
import copy

def follow(kept, parents):
    def moved(one):
        if isinstance(one, dict):
            return {name: moved(inner) for name, inner in one.items()}
        if isinstance(one, list) and len(one) == len(parents) and all(isinstance(row, list) for row in one):
            return [copy.deepcopy(one[parent]) for parent in parents]
        return copy.deepcopy(one)
    return moved(kept)

# %% moves-too-much | visible: yes | every list follows
import copy

def follow(kept, parents):
    def moved(one):
        if isinstance(one, dict):
            return {name: moved(inner) for name, inner in one.items()}
        if isinstance(one, list):
            return [copy.deepcopy(one[parent]) for parent in parents if parent < len(one)]
        return one
    return moved(kept)

# %% flat | visible: yes | no look into dictionaries
import copy

def follow(kept, parents):
    return {name: [copy.deepcopy(one[parent]) for parent in parents]
            if isinstance(one, list) and len(one) == len(parents) else copy.deepcopy(one)
            for name, one in kept.items()}

# %% half-moved | visible: no | in place, one entry after the other
import copy

def follow(kept, parents):
    found = copy.deepcopy(kept)
    for one in found.values():
        if isinstance(one, list) and len(one) == len(parents):
            for i, parent in enumerate(parents):
                one[i] = copy.deepcopy(one[parent])
    return found

# %% shares-a-row | visible: no | the parents' rows themselves
import copy

def follow(kept, parents):
    def moved(one):
        if isinstance(one, dict):
            return {name: moved(inner) for name, inner in one.items()}
        if isinstance(one, list) and len(one) == len(parents):
            return [one[parent] for parent in parents]
        return one
    return moved(copy.deepcopy(kept))

# %% changes-its-input | visible: no | the new rows are put into the old dictionary
def follow(kept, parents):
    for name, one in kept.items():
        if isinstance(one, list) and len(one) == len(parents):
            kept[name] = [list(one[parent]) if isinstance(one[parent], list) else one[parent] for parent in parents]
        elif isinstance(one, dict):
            kept[name] = follow(one, parents)
    return kept

# %% nothing-moves | visible: no | the helper's answer is dropped
import copy

def reordered(one, parents):
    return [copy.deepcopy(one[parent]) for parent in parents]

def follow(kept, parents):
    kept = copy.deepcopy(kept)
    for one in kept.values():
        if isinstance(one, list) and len(one) == len(parents):
            reordered(one, parents)
    return kept
