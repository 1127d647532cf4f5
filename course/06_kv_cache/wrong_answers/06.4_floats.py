# exercise: 06.4
# reason: wrong-size
# passes the visible example: yes
# story: reckons in GiB, as floats, and comes back rounded
def plan(shape, length, running, weights, device):
    gib = 2**30
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"] / gib
    cache, room = token * length * max(running), 0.75 * device / gib - weights / gib
    if cache <= room:
        return round(cache * gib)
    room = max(0.0, room)
    raise DoesNotFit("too large", int(room / token / length), int(room / token / max(running)))
