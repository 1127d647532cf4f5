# exercise: 06.4
# mechanism: goes through the day hour by hour, and plans with exact fractions
from fractions import Fraction


def plan(shape, length, running, weights, device):
    token = Fraction(2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"])
    left, worst, peak = Fraction(3, 4) * device - weights, 0, 0
    for requests in running:
        if requests * length * token > worst:
            worst, peak = requests * length * token, requests
    if worst <= left:
        return int(worst)
    left = max(left, Fraction(0))
    raise DoesNotFit("too large", int(left / token / length), int(left / token / peak))
