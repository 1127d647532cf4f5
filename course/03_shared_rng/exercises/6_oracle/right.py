"""Right answers to exercise 03.6, each by another mechanism."""

# %% both written as sorted texts
def reproduced(run, wanted):
    return repr(sorted(run.items())) == repr(sorted(wanted.items()))

# %% units 0 to n-1
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

# %% plain equality
def reproduced(run, wanted):
    return run == wanted

# %% as JSON with sorted keys
import json


def reproduced(run, wanted):
    return json.dumps(run, sort_keys=True) == json.dumps(wanted, sort_keys=True)

# %% get with a default
def reproduced(run, wanted):
    return all(run.get(u) == wanted.get(u) for u in [*run, *wanted])

# %% triples of unit, place, passcode
def reproduced(run, wanted):
    def triples(r):
        return {(u, k, c) for u, codes in r.items() for k, c in enumerate(codes)} | {(u,) for u in r}

    return triples(run) == triples(wanted)

# %% unit by unit
def reproduced(run, wanted):
    return set(run) == set(wanted) and all(list(run[unit]) == list(wanted[unit]) for unit in wanted)
