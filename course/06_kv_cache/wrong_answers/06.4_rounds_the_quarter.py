# exercise: 06.4
# reason: off-by-a-byte
# passes the visible example: yes
# story: rounds the quarter down instead of what may be used
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device - device // 4 - weights)
    if weights + cache <= device - device // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))
