"""Right answers to exercise 03.2, each by another mechanism."""

# %% eight bytes for each
def derive(master, unit):
    return master.to_bytes(16, "big") + unit.to_bytes(16, "big")

# %% a cache
from functools import cache


@cache
def derive(master, unit):
    return f"{master}/{unit}"

# %% sixteen hexadecimal digits each
def derive(master, unit):
    return f"{master:016x}{unit:016x}"

# %% numpy, with four words for each
def derive(master, unit):
    return np.random.SeedSequence([master & 0xFFFFFFFF, master >> 32, unit & 0xFFFFFFFF, unit >> 32])

# %% an object that can be called
class Derive:
    tag = "unit"

    def __call__(self, master, unit):
        return f"{self.tag}/{master}/{unit}"


derive = Derive()

# %% a spawn key of numpy
def derive(master, unit):
    return np.random.SeedSequence(master, spawn_key=(unit,))

# %% sha256 of a tagged tuple
def derive(master, unit):
    return int.from_bytes(sha256(repr(("unit", master, unit)).encode()).digest(), "big")

# %% a text with a border, hashed by random itself
def derive(master, unit):
    return f"{master}:{unit}"

# %% a named UUID
import uuid


def derive(master, unit):
    return uuid.uuid5(uuid.NAMESPACE_URL, f"unit:{master}:{unit}").int
