"""Right answers to exercise 06.4, each by another mechanism."""

# %% decimal numbers, exact to ninety digits, and advice by subtraction of rooms
from decimal import Decimal, localcontext


def plan(shape, length, running, weights, device):
    with localcontext(prec=90):
        free = int(Decimal(device) * Decimal("0.75")) - weights
    token = 2 * shape["layers"] * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
    needed, peak = token * length * max(running), max(running)
    if needed <= free:
        return needed
    tokens = max(free, 0) // token
    raise DoesNotFit(message="too large", length=tokens // peak, batch=tokens // length)

# %% asks whether four thirds of the need fit, and searches what would by halving
def largest(fits):
    low, high = 0, 1
    while fits(high):
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def plan(shape, length, running, weights, device):
    def need(batch, tokens):
        per_layer = 2 * shape["kv_heads"] * shape["head_dim"] * shape["bytes"]
        return shape["layers"] * per_layer * batch * tokens

    def fits(batch, tokens):
        return 4 * (weights + need(batch, tokens)) <= 3 * device
    peak = sorted(running)[-1]
    if fits(peak, length):
        return need(peak, length)
    raise DoesNotFit("too large", largest(lambda n: fits(n, length)), largest(lambda n: fits(peak, n)))

# %% goes through the day hour by hour, and plans with exact fractions
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
