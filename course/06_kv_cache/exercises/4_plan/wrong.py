"""Wrong answers to exercise 06.4: why each is rejected, whether it passes the lab's example, its story."""

# %% not-a-whole-number | visible: no | returns a float of bytes
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache * 1.0
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% other-exception | visible: yes | defines a DoesNotFit of its own, which hides the one that callers wait for
class DoesNotFit(Exception):
    def __init__(self, message, batch, length):
        super().__init__(message)
        self.batch, self.length = batch, length


def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% wrong-advice | visible: yes | advises what is less than the room, and not what fills it
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", max(0, room - 1) // (token * length), max(0, room - 1) // (token * peak))

# %% wrong-advice | visible: yes | advises the length for a single request, not for the peak
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // token)

# %% wrong-advice | visible: yes | gives the length where the batch belongs
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * peak), room // (token * length))

# %% wrong-advice | visible: yes | forgets the weights in its advice
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = device * 3 // 4
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% divides-first | visible: yes | a quarter, rounded down, and three of them
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device // 4 * 3 - weights)
    if weights + cache <= device // 4 * 3:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% wrong-advice | visible: yes | reckons the advice with floats: wrong by many tokens where the numbers are large
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0.0, device * 0.75 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", int(room / (token * length)), int(room / (token * peak)))

# %% wrong-size | visible: yes | reckons in GiB, as floats, and comes back rounded
def plan(shape, length, running, weights, device):
    gib = 2**30
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"] / gib
    cache, room = token * length * max(running), 0.75 * device / gib - weights / gib
    if cache <= room:
        return round(cache * gib)
    room = max(0.0, room)
    raise DoesNotFit("too large", int(room / token / length), int(room / token / max(running)))

# %% no-headroom | visible: yes | leaves nothing free
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device - weights)
    if weights + cache <= device:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% no-headroom | visible: yes | takes a quarter of the cache for headroom, not a quarter of the device
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache + cache // 4 <= device:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% one-of-two | visible: no | counts the keys and forgets the values
def plan(shape, length, running, weights, device):
    token = shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% not-the-peak | visible: yes | plans for the last hour
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = running[-1]
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% refuses-what-fits | visible: yes | refuses what fits exactly
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache < device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% not-the-peak | visible: no | plans for the mean of the day
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = sum(running) // len(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% exception | visible: yes | refuses with a plain ValueError, which says nothing
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    if weights + cache <= device * 3 // 4:
        return cache
    raise ValueError("too large")

# %% query-heads | visible: yes | counts all heads, as the popular formula does
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% wrong-size | visible: yes | the fullest hour of all servers ever planned
PEAK = [0]


def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = PEAK[0] = max(PEAK[0], *running, 0)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% returns-the-refusal | visible: yes | a refusal is made and returned, and the caller reads it as a plan
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    return DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% negative | visible: yes | gives advice below zero when the weights alone are too large
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = device * 3 // 4 - weights
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% off-by-a-byte | visible: yes | rounds the quarter down instead of what may be used
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device - device // 4 - weights)
    if weights + cache <= device - device // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% takes-what-does-not-fit | visible: yes | returns the bytes and refuses nothing
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    return cache

# %% changes-its-input | visible: no | sorts the caller's list to find the peak
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    running.sort(reverse=True)
    peak = running[0]
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% wrong-size | visible: yes | takes two bytes a number for granted
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * 2
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))

# %% wrong-size | visible: yes | keeps the bytes of a token by layers and heads, and forgets that numbers differ in size
K = {}
def plan(shape, length, running, weights, device):
    key = (shape["layers"], shape["kv_heads"], shape["head_dim"])
    token = K.setdefault(key, 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"])
    peak = max(running)
    used = weights + token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if used * 4 <= device * 3:
        return token * length * peak
    raise DoesNotFit("x", room // (token * length), room // (token * peak))

# %% invents-a-request | visible: yes | counts one request where nobody runs
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running) or 1
    room = max(0, device * 3 // 4 - weights)
    if token * length * peak <= device * 3 // 4 - weights:
        return token * length * peak
    raise DoesNotFit("x", room // (token * length), room // (token * peak))
