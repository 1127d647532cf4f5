"""Wrong answers to exercise 12.8: why each is rejected, whether it passes the lab's example, its story."""

# %% wrong-order | visible: yes | the alphabet
def lock_order(paths):
    return sorted({name for path in paths for name in path})

# %% misses-a-circle | visible: yes | the order in which they appear, corrected once
def lock_order(paths):
    order = []
    for path in paths:
        for name in path:
            if name not in order:
                order.append(name)
    for _ in range(20):
        for path in paths:
            held = list(dict.fromkeys(path))
            places = sorted(order.index(name) for name in held)
            for place, name in zip(places, held):
                order[place] = name
    return order

# %% pairs-only | visible: yes | looks for two paths against each other
def lock_order(paths):
    pairs = set()
    for path in paths:
        held = list(dict.fromkeys(path))
        pairs |= {(a, b) for k, a in enumerate(held) for b in held[k + 1:]}
    if any((b, a) in pairs for a, b in pairs):
        return "no order"
    order = sorted({name for path in paths for name in path})
    for _ in range(20):
        for a, b in sorted(pairs):
            i, j = order.index(a), order.index(b)
            if i > j:
                order[i], order[j] = order[j], order[i]
    return order

# %% misses-a-circle | visible: yes | only the first two of each path
def lock_order(paths):
    from graphlib import CycleError, TopologicalSorter
    graph = TopologicalSorter()
    for path in paths:
        held = list(dict.fromkeys(path))
        for name in held:
            graph.add(name)
        if len(held) > 1:
            graph.add(held[1], held[0])
    try:
        return list(graph.static_order())
    except CycleError:
        return "no order"

# %% afraid-of-the-same | visible: yes | a lock that is taken again is a circle
def lock_order(paths):
    from graphlib import CycleError, TopologicalSorter
    from itertools import pairwise
    graph = TopologicalSorter()
    for path in paths:
        graph.add(path[0])
        for one, two in pairwise(path):
            graph.add(two, one)
    try:
        return list(graph.static_order())
    except CycleError:
        return "no order"

# %% forgets-the-lonely | visible: yes | only locks that stand in a pair
def lock_order(paths):
    from graphlib import CycleError, TopologicalSorter
    from itertools import pairwise
    graph = TopologicalSorter()
    for path in paths:
        held = list(dict.fromkeys(path))
        for one, two in pairwise(held):
            graph.add(two, one)
    try:
        return list(graph.static_order())
    except CycleError:
        return "no order"

# %% wrong-order | visible: no | the last one first
def lock_order(paths):
    from graphlib import CycleError, TopologicalSorter
    graph = TopologicalSorter()
    for path in paths:
        held = list(dict.fromkeys(path))
        for place, name in enumerate(held):
            graph.add(name, *held[:place])
    try:
        return list(graph.static_order())[::-1]
    except CycleError:
        return "no order"
