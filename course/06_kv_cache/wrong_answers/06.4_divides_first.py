# exercise: 06.4
# reason: divides-first
# passes the visible example: yes
# story: a quarter, rounded down, and three of them
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device // 4 * 3 - weights)
    if weights + cache <= device // 4 * 3:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))
