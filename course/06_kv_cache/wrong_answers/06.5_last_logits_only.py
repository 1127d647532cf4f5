# exercise: 06.5
# reason: one-row-only
# passes the visible example: yes
# story: makes the logits of the last token alone, which this model does not
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 4 * d * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": 2 * d * shape["vocab"],
    }
