# exercise: 06.5
# reason: forgets-a-projection
# passes the visible example: no
# story: q, k and v, and no o
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 2 * d * (d + 2 * kv),
        "attention": layers * rows * 4 * d * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }
