"""Right answers to exercise 03.6, each by another mechanism."""

# %% both written as sorted texts
def reproduced(run, wanted):
    def told(r):
        return repr(sorted((unit, [str(code) for code in codes]) for unit, codes in r.items()))

    return told(run) == told(wanted)

# %% place by place
def reproduced(run, wanted):
    if len(run) != len(wanted):
        return False
    for unit in wanted:
        if unit not in run or len(run[unit]) != len(wanted[unit]):
            return False
        for mine, theirs in zip(run[unit], wanted[unit], strict=True):
            if mine != theirs:
                return False
    return True

# %% plain equality of dictionaries of tuples
def reproduced(run, wanted):
    return {u: tuple(c) for u, c in run.items()} == {u: tuple(c) for u, c in wanted.items()}

# %% as JSON with sorted keys
import json


def reproduced(run, wanted):
    def told(r):
        return json.dumps({str(u): list(map(str, c)) for u, c in r.items()}, sort_keys=True)

    return told(run) == told(wanted)

# %% get with a default
def reproduced(run, wanted):
    return all(list(run.get(u, [None])) == list(wanted.get(u, [None])) for u in [*run, *wanted])

# %% triples of unit, place, passcode
def reproduced(run, wanted):
    def triples(r):
        return {(u, k, c) for u, codes in r.items() for k, c in enumerate(codes)} | {(u,) for u in r}

    return triples(run) == triples(wanted)

# %% numpy's own comparison
def reproduced(run, wanted):
    return set(run) == set(wanted) and all(np.array_equal(run[unit], wanted[unit]) for unit in wanted)
