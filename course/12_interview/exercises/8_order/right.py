"""Right answers to exercise 12.8, each by another mechanism."""

# %% takes away whoever comes after nobody
def lock_order(paths):
    before = {name: set() for path in paths for name in path}
    for path in paths:
        held = []
        for name in path:
            if name not in held:
                before[name] |= set(held)
                held.append(name)
    order = []
    while len(order) < len(before):
        free = [name for name in before if name not in order and before[name] <= set(order)]
        if not free:
            return "no order"
        order.append(free[0])
    return order

# %% the library's own sorter
from graphlib import CycleError, TopologicalSorter

def lock_order(paths):
    graph = TopologicalSorter()
    for path in paths:
        held = list(dict.fromkeys(path))
        for place, name in enumerate(held):
            graph.add(name, *held[:place])
    try:
        return list(graph.static_order())
    except CycleError:
        return "no order"

# %% goes down before it writes down
def lock_order(paths):
    after = {}
    for path in paths:
        held = list(dict.fromkeys(path))
        for name, following in zip(held, [*held[1:], None]):
            after.setdefault(name, set())
            if following:
                after[name].add(following)
    order, state = [], {}

    def visit(name):
        if state.get(name) == "open":
            raise ValueError(name)
        if name not in state:
            state[name] = "open"
            for following in sorted(after[name]):
                visit(following)
            state[name] = "done"
            order.append(name)

    try:
        for name in sorted(after):
            visit(name)
    except ValueError:
        return "no order"
    return order[::-1]
