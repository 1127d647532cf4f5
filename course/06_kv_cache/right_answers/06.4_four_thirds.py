# exercise: 06.4
# mechanism: asks whether four thirds of the need fit, and searches what would by halving
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
