# exercise: 06.5
# reason: one-of-two
# passes the visible example: no
# story: counts multiplications alone
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 2 * d * (d + kv),
        "attention": layers * rows * 2 * d * context,
        "feed_forward": layers * rows * 3 * d * shape["d_hidden"],
        "head": rows * d * shape["vocab"],
    }
