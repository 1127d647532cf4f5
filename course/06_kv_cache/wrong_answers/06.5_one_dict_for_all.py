# exercise: 06.5
# reason: overwrites-its-answers
# passes the visible example: no
# story: a default value is made once, so every answer is the same dict, and the newest cost stands in all of them
def step_cost(shape, context, cached, cost={}):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    cost["projections"] = layers * rows * 4 * d * (d + kv)
    cost["attention"] = layers * rows * 4 * d * context
    cost["feed_forward"] = layers * rows * 6 * d * shape["d_hidden"]
    cost["head"] = rows * 2 * d * shape["vocab"]
    return cost
