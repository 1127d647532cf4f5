# exercise: 06.5
# mechanism: one row first, then as many rows as pass through
def one_row(shape, context):
    d, layers = shape["d_model"], shape["layers"]
    share = shape["kv_heads"] / shape["heads"]
    kv = round(d * share)
    return {"projections": 4 * layers * d * d + 4 * layers * d * kv, "attention": 4 * layers * d * context,
            "feed_forward": 6 * layers * d * shape["d_hidden"], "head": 2 * d * shape["vocab"]}


def step_cost(shape, context, cached):
    rows = 1 if cached else context
    return {part: rows * cost for part, cost in one_row(shape, context).items()}
