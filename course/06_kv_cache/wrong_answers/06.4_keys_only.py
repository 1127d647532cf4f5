# exercise: 06.4
# reason: one-of-two
# passes the visible example: no
# story: counts the keys and forgets the values
def plan(shape, length, running, weights, device):
    token = shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))
