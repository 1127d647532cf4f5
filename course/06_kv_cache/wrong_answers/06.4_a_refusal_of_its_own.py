# exercise: 06.4
# reason: other-exception
# passes the visible example: yes
# story: defines a DoesNotFit of its own, which hides the one that callers wait for
class DoesNotFit(Exception):
    def __init__(self, message, batch, length):
        super().__init__(message)
        self.batch, self.length = batch, length


def plan(shape, length, running, weights, device):
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    peak = max(running)
    cache = token * length * peak
    room = max(0, device * 3 // 4 - weights)
    if weights + cache <= device * 3 // 4:
        return cache
    raise DoesNotFit("too large", room // (token * length), room // (token * peak))
