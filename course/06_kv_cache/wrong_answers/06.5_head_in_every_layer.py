# exercise: 06.5
# reason: head-in-every-layer
# passes the visible example: no
# story: multiplies everything by the layers, the logits too
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 4 * d * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": layers * rows * 2 * d * shape["vocab"],
    }
