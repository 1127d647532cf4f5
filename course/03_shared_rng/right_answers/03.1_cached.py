# exercise: 03.1
# mechanism: a cache of tuples, copied out
from functools import cache


@cache
def kept(master, unit, count):
    rng = random.Random(repr((master, unit)))
    return tuple("".join(rng.choices(SYMBOLS, k=LENGTH)) for _ in range(count))


def unit_batch(master, unit, count):
    return list(kept(master, unit, count))
