# exercise: 06.4
# reason: returns-the-refusal
# passes the visible example: yes
# story: a refusal is made and returned, and the caller reads it as a plan
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    return DoesNotFit("too large", room // (token * length), room // (token * peak))
