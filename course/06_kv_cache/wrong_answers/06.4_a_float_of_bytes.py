# exercise: 06.4
# reason: not-a-whole-number
# passes the visible example: no
# story: returns a float of bytes
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache * 1.0
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))
