# exercise: 06.5
# reason: kv-heads-in-attention
# passes the visible example: yes
# story: lets grouped heads save scores
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 4 * kv * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }
