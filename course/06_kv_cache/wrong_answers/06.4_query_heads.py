# exercise: 06.4
# reason: query-heads
# passes the visible example: yes
# story: counts all heads, as the popular formula does
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))
