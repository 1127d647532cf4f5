"""Right answers to exercise 07.5, each by another mechanism."""

# %% a table of three oracles, and a comparison for the fourth
SEEN = {"own rows": (), "neighbour": ("neighbour", "owner tag"), "freed": ("neighbour", "owner tag", "poison"),
        "zeroed": ("owner tag", "poison")}
LIMIT = {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1}

def who_sees(reads, wrong_alone, error, dtype):
    alone = ("alone",) if error > LIMIT[dtype] and not wrong_alone else ()
    return {*SEEN[reads], *alone}

# %% begins with all four and strikes out those that are blind
def who_sees(reads, wrong_alone, error, dtype):
    seen = {"alone", "neighbour", "owner tag", "poison"}
    if wrong_alone or error <= {"float64": 1e-9, "float32": 1e-4, "bfloat16": 0.1}[dtype]:
        seen -= {"alone"}
    if reads == "own rows":
        seen -= {"neighbour", "owner tag", "poison"}
    if reads == "zeroed":
        seen -= {"neighbour"}
    if reads == "neighbour":
        seen -= {"poison"}
    return frozenset(seen)
