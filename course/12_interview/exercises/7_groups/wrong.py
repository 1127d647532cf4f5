"""Wrong answers to exercise 12.7: why each is rejected, whether it passes the lab's example, its story."""

# %% too-coarse | visible: no | one lock for everything
def lock_groups(operations):
    written = sorted({name for _, writes in operations for name in writes})
    return [written] if written else []

# %% too-coarse | visible: no | a lock for each field
def lock_groups(operations):
    return [[name] for name in sorted({name for _, writes in operations for name in writes})]

# %% locks-constants | visible: yes | what is only read needs a lock, too
def lock_groups(operations):
    groups = []
    for reads, writes in operations:
        touched = set(reads) | set(writes)
        if touched:
            mine = [group for group in groups if group & touched]
            groups = [group for group in groups if not group & touched] + [touched.union(*mine)]
    return sorted(sorted(group) for group in groups)

# %% locks-constants | visible: yes | a constant joins two groups
def lock_groups(operations):
    written = {name for _, writes in operations for name in writes}
    groups = []
    for reads, writes in operations:
        touched = set(reads) | set(writes)
        mine = [group for group in groups if group & touched]
        groups = [group for group in groups if not group & touched] + [touched.union(*mine)]
    return sorted(sorted(group & written) for group in groups if group & written)

# %% forgets-reads | visible: yes | looks at the writes alone
def lock_groups(operations):
    groups = []
    for _, writes in operations:
        touched = set(writes)
        if touched:
            mine = [group for group in groups if group & touched]
            groups = [group for group in groups if not group & touched] + [touched.union(*mine)]
    return sorted(sorted(group) for group in groups)

# %% not-joined | visible: yes | joins with the first group only
def lock_groups(operations):
    written = {name for _, writes in operations for name in writes}
    groups = []
    for reads, writes in operations:
        touched = written & {*reads, *writes}
        for group in groups:
            if group & touched:
                group |= touched
                break
        else:
            if touched:
                groups.append(set(touched))
    seen, result = set(), []
    for group in groups:
        result.append(sorted(group - seen))
        seen |= group
    return sorted(group for group in result if group)

# %% forgets-the-lonely | visible: yes | a lock for one field is too much
def lock_groups(operations):
    written = {name for _, writes in operations for name in writes}
    groups = [{name} for name in written]
    for reads, writes in operations:
        touched = written & {*reads, *writes}
        if touched:
            mine = [group for group in groups if group & touched]
            groups = [group for group in groups if not group & touched] + [set().union(*mine)]
    return sorted(sorted(group) for group in groups if len(group) > 1 or len(written) < 4)

# %% not-sorted | visible: no | the largest first
def lock_groups(operations):
    written = {name for _, writes in operations for name in writes}
    groups = [{name} for name in sorted(written)]
    for reads, writes in operations:
        touched = written & {*reads, *writes}
        if touched:
            mine = [group for group in groups if group & touched]
            groups = [group for group in groups if not group & touched] + [set().union(*mine)]
    return sorted((sorted(group) for group in groups), reverse=True)
