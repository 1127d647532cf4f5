# exercise: 06.4
# reason: wrong-advice
# passes the visible example: yes
# story: advises what is less than the room, and not what fills it
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", max(0, room - 1) // (token * length), max(0, room - 1) // (token * peak))
