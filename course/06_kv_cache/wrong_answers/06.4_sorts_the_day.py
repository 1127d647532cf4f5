# exercise: 06.4
# reason: changes-its-input
# passes the visible example: no
# story: sorts the caller's list to find the peak
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    running.sort(reverse=True)
    peak = running[0]
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))
