# exercise: 06.5
# reason: rows-of-the-past
# passes the visible example: no
# story: lets the whole context pass through the model, cache or not
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = context
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 4 * d * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }
