# exercise: 06.5
# reason: wrong-attention
# passes the visible example: yes
# story: keeps what a shape cost, and forgets that the context belongs to the question
KNOWN = {}


def step_cost(shape, context, cached):
    asked = (*shape.values(), cached)
    if asked in KNOWN:
        return KNOWN[asked]
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    KNOWN[asked] = {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 4 * d * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }
    return KNOWN[asked]
