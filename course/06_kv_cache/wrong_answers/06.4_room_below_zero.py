# exercise: 06.4
# reason: negative
# passes the visible example: yes
# story: gives advice below zero when the weights alone are too large
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = device * 3 // 4 - weights
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))
