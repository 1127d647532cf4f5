# exercise: 06.4
# mechanism: decimal numbers, exact to ninety digits, and advice by subtraction of rooms
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
