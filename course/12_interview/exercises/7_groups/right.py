"""Right answers to exercise 12.7, each by another mechanism."""

# %% joins the groups that an operation touches
def lock_groups(operations):
    written = {name for _, writes in operations for name in writes}
    groups = [{name} for name in written]
    for reads, writes in operations:
        touched = written & set(reads + writes)
        if touched:
            mine = [group for group in groups if group & touched]
            groups = [group for group in groups if not group & touched] + [set().union(*mine)]
    return sorted(sorted(group) for group in groups)

# %% a parent for each field
def lock_groups(operations):
    parent = {name: name for _, writes in operations for name in writes}

    def root(name):
        while parent[name] != name:
            name = parent[name]
        return name

    for reads, writes in operations:
        touched = [name for name in reads + writes if name in parent]
        for name in touched[1:]:
            parent[root(name)] = root(touched[0])
    groups = {}
    for name in sorted(parent):
        groups.setdefault(root(name), []).append(name)
    return sorted(groups.values())

# %% walks from neighbour to neighbour
def lock_groups(operations):
    written = sorted({name for _, writes in operations for name in writes})
    found, seen = [], set()
    for start in written:
        if start in seen:
            continue
        group, todo = set(), [start]
        while todo:
            name = todo.pop()
            if name not in group:
                group.add(name)
                for reads, writes in operations:
                    if name in reads or name in writes:
                        todo += [other for other in (*reads, *writes) if other in written]
        seen |= group
        found.append(sorted(group))
    return found
