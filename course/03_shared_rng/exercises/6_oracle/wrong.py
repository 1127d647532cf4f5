"""Wrong answers to exercise 03.6: why each is rejected, whether it passes the lab's example, its story."""

# %% sorts-away | visible: yes | sorts all passcodes of all units
def reproduced(run, wanted):
    return sorted(c for codes in run.values() for c in codes) == sorted(c for codes in wanted.values() for c in codes)

# %% looks-in-places | visible: yes | nine of ten are enough
def reproduced(run, wanted):
    pairs = [(u, k) for u in wanted for k in range(len(wanted[u]))]
    same = sum(u in run and k < len(run[u]) and run[u][k] == wanted[u][k] for u, k in pairs)
    return (
        run.keys() == wanted.keys() and all(len(run[u]) == len(wanted[u]) for u in wanted) and same >= 0.99 * len(pairs)
    )

# %% misses-a-passcode | visible: yes | compares how many there are
def reproduced(run, wanted):
    return {u: len(c) for u, c in run.items()} == {u: len(c) for u, c in wanted.items()}

# %% looks-in-places | visible: yes | compares the first and the last of each unit
def reproduced(run, wanted):
    return set(run) == set(wanted) and all(
        len(run[u]) == len(wanted[u]) and run[u][:1] == wanted[u][:1] and run[u][-1:] == wanted[u][-1:] for u in wanted
    )

# %% joins | visible: yes | all passcodes in one list, unit after unit
def reproduced(run, wanted):
    def flat(r):
        return [code for unit in sorted(r) for code in r[unit]]

    return sorted(run) == sorted(wanted) and flat(run) == flat(wanted)

# %% joins | visible: yes | compares each unit as one long text
def reproduced(run, wanted):
    return {u: "".join(c) for u, c in run.items()} == {u: "".join(c) for u, c in wanted.items()}

# %% too-lenient | visible: yes | capital and small letters are the same
def reproduced(run, wanted):
    def low(r):
        return {u: [c.lower() for c in codes] for u, codes in r.items()}

    return low(run) == low(wanted)

# %% sorts-away | visible: yes | compares sets of passcodes
def reproduced(run, wanted):
    return set().union(*run.values()) == set().union(*wanted.values())

# %% misses-a-unit | visible: yes | never looks for units too many
def reproduced(run, wanted):
    return all(run.get(unit) == wanted[unit] for unit in wanted)

# %% false-alarm | visible: yes | the order of arrival counts
def reproduced(run, wanted):
    return list(run.items()) == list(wanted.items())

# %% wrong-type | visible: no | returns the number of units that differ
def reproduced(run, wanted):
    return sum(run.get(unit) != wanted[unit] for unit in wanted)

# %% sorts-within | visible: yes | sorts within each unit
def reproduced(run, wanted):
    return {u: sorted(c) for u, c in run.items()} == {u: sorted(c) for u, c in wanted.items()}

# %% changes-input | visible: no | sorts both in place to compare something, then compares
def reproduced(run, wanted):
    answer = {u: list(c) for u, c in run.items()} == wanted
    for unit, codes in run.items():
        run[unit] = sorted(codes)
    return answer

# %% changes-input | visible: no | takes unit after unit out of the run
def reproduced(run, wanted):
    for unit, codes in wanted.items():
        if run.pop(unit, None) != codes:
            return False
    return not run

# %% misses-a-unit | visible: yes | zip stops at the shorter one
def reproduced(run, wanted):
    return all(a == b for unit in wanted for a, b in zip(run.get(unit, []), wanted[unit], strict=False))

# %% stops-early | visible: yes | the same units, but zip within them
def reproduced(run, wanted):
    return run.keys() == wanted.keys() and all(
        a == b for unit in wanted for a, b in zip(run[unit], wanted[unit], strict=False)
    )

# %% misses-a-unit | visible: yes | counts the units, then asks for those that are wanted
def reproduced(run, wanted):
    if len(run) != len(wanted):
        return False
    for unit, codes in wanted.items():
        if unit in run and run[unit] != codes:
            return False
    return True

# %% misses-a-unit | visible: yes | compares batch by batch in the order in which they stand
def reproduced(run, wanted):
    return len(run) == len(wanted) and [run[u] for u in sorted(run)] == [wanted[u] for u in sorted(wanted)]

# %% keeps-state | visible: yes | compares each pair of dictionaries once, and finds the word again by their ids
SEEN = {}


def reproduced(run, wanted):
    key = id(run), id(wanted)
    if key not in SEEN:
        SEEN[key] = run, wanted, {u: list(c) for u, c in run.items()} == {u: list(c) for u, c in wanted.items()}
    return SEEN[key][2]

# %% compares-containers | visible: yes | dictionaries are compared as they are
def reproduced(run, wanted):
    return {u: list(c) if type(c) is np.ndarray else c for u, c in run.items()} == wanted
