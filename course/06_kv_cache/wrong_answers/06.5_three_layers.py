# exercise: 06.5
# reason: layers-of-the-example
# passes the visible example: yes
# story: three layers, as in the example
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], 3
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 4 * d * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }
