# exercise: 06.4
# reason: wrong-advice
# passes the visible example: yes
# story: reckons the advice with floats: wrong by many tokens where the numbers are large
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0.0, device * 0.75 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", int(room / (token * length)), int(room / (token * peak)))
