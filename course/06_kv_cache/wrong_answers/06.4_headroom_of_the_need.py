# exercise: 06.4
# reason: no-headroom
# passes the visible example: yes
# story: takes a quarter of the cache for headroom, not a quarter of the device
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache + cache // 4 <= device:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))
