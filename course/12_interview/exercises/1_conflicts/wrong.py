"""Wrong answers to exercise 12.1: why each is rejected, whether it passes the lab's example, its story."""

# %% ignores-locks | visible: yes | forgets the locks
from itertools import combinations

def conflicts(accesses):
    return [(i, j) for (i, a), (j, b) in combinations(enumerate(accesses), 2)
            if a[0] != b[0] and a[2] == b[2] and "write" in (a[1], b[1])]

# %% half-locked | visible: yes | any lock will do
from itertools import combinations

def conflicts(accesses):
    return [(i, j) for (i, a), (j, b) in combinations(enumerate(accesses), 2)
            if a[0] != b[0] and a[2] == b[2] and "write" in (a[1], b[1]) and not (a[3] or b[3])]

# %% needs-equal-locks | visible: yes | all locks must be the same
from itertools import combinations

def conflicts(accesses):
    return [(i, j) for (i, a), (j, b) in combinations(enumerate(accesses), 2)
            if a[0] != b[0] and a[2] == b[2] and "write" in (a[1], b[1]) and not (a[3] and set(a[3]) == set(b[3]))]

# %% two-reads | visible: yes | every two accesses of two threads
from itertools import combinations

def conflicts(accesses):
    return [(i, j) for (i, a), (j, b) in combinations(enumerate(accesses), 2)
            if a[0] != b[0] and a[2] == b[2] and not set(a[3]) & set(b[3])]

# %% one-thread | visible: yes | does not look who
from itertools import combinations

def conflicts(accesses):
    return [(i, j) for (i, a), (j, b) in combinations(enumerate(accesses), 2)
            if a[2] == b[2] and "write" in (a[1], b[1]) and not set(a[3]) & set(b[3])]

# %% mixes-places | visible: yes | does not look where
from itertools import combinations

def conflicts(accesses):
    return [(i, j) for (i, a), (j, b) in combinations(enumerate(accesses), 2)
            if a[0] != b[0] and "write" in (a[1], b[1]) and not set(a[3]) & set(b[3]) and (j == i + 1 or a[2] == b[2])]

# %% neighbours-only | visible: yes | looks at neighbours
from itertools import pairwise

def conflicts(accesses):
    return [(i, i + 1) for i, (a, b) in enumerate(pairwise(accesses))
            if a[0] != b[0] and a[2] == b[2] and "write" in (a[1], b[1]) and not set(a[3]) & set(b[3])]

# %% misses-a-pair | visible: yes | two writes only
from itertools import combinations

def conflicts(accesses):
    return [(i, j) for (i, a), (j, b) in combinations(enumerate(accesses), 2)
            if a[0] != b[0] and a[2] == b[2] and a[1] == b[1] == "write" and not set(a[3]) & set(b[3])]

# %% not-in-order | visible: no | the later one first
from itertools import combinations

def conflicts(accesses):
    return [(j, i) for (i, a), (j, b) in combinations(enumerate(accesses), 2)
            if a[0] != b[0] and a[2] == b[2] and "write" in (a[1], b[1]) and not set(a[3]) & set(b[3])]
