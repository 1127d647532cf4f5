# exercise: 06.4
# reason: takes-what-does-not-fit
# passes the visible example: yes
# story: returns the bytes and refuses nothing
def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    return cache
