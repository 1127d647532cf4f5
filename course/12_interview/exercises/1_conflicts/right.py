"""Right answers to exercise 12.1, each by another mechanism."""

# %% all pairs
from itertools import combinations

def conflicts(accesses):
    return [(i, j) for (i, (who, kind, place, locks)), (j, (other, what, where, held)) in
            combinations(enumerate(accesses), 2)
            if who != other and place == where and "write" in (kind, what) and not set(locks) & set(held)]

# %% each access against those before it, sorted at the end
def conflicts(accesses):
    found = []
    for j, (who, kind, place, locks) in enumerate(accesses):
        for i, (other, what, where, held) in enumerate(accesses[:j]):
            if place == where and who != other and not (kind == what == "read"):
                if not any(lock in held for lock in locks):
                    found.append((i, j))
    return sorted(found)

# %% one list for each place
def conflicts(accesses):
    places, found = {}, []
    for number, access in enumerate(accesses):
        places.setdefault(access[2], []).append((number, access))
    for rows in places.values():
        for at, (i, one) in enumerate(rows):
            for j, two in rows[at + 1:]:
                if one[0] != two[0] and {one[1], two[1]} != {"read"} and set(one[3]).isdisjoint(two[3]):
                    found.append((i, j))
    found.sort()
    return found
