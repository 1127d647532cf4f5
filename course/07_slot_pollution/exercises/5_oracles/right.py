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

# %% names that are members of an enumeration of texts
from enum import Enum
class O(str, Enum):
    A = "alone"
    N = "neighbour"
    T = "owner tag"
    P = "poison"
def who_sees(reads, wrong_alone, error, dtype):
    limit = 1e-9 if dtype == "float64" else 1e-4 if dtype == "float32" else 0.1
    base = {"own rows": frozenset(), "neighbour": frozenset({O.N, O.T}), "freed": frozenset({O.N, O.T, O.P}), "zeroed": frozenset({O.T, O.P})}[reads]
    return base | ({O.A} if error > limit and not wrong_alone else frozenset())
