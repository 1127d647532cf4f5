# exercise: 03.3
# reason: remembers
# passes the visible example: no
# story: a cache
from functools import cache


@cache
def passcode(seed, k):
    return "".join(random.Random(f"{seed}:{k}").choices(SYMBOLS, k=LENGTH))
