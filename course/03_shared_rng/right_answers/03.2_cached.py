# exercise: 03.2
# mechanism: a cache
from functools import cache


@cache
def derive(master, unit):
    return f"{master}/{unit}"
