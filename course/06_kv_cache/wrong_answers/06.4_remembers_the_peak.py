# exercise: 06.4
# reason: wrong-size
# passes the visible example: yes
# story: the fullest hour of all servers ever planned
PEAK = [0]


def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = PEAK[0] = max(PEAK[0], *running, 0)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))
