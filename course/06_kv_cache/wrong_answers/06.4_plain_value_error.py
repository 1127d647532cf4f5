# exercise: 06.4
# reason: exception
# passes the visible example: yes
# story: refuses with a plain ValueError, which says nothing
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    if weights + cache <= device * 3 // 4:
        return cache
    raise ValueError("too large")
