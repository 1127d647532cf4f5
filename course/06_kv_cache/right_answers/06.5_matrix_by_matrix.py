# exercise: 06.5
# mechanism: adds up the products one by one
def product(rows, inner, columns):
    return 2 * rows * inner * columns


def step_cost(shape, context, cached):
    d, rows = shape["d_model"], 1 if cached else context
    size = d // shape["heads"]
    made = {"projections": 0, "attention": 0, "feed_forward": 0, "head": product(rows, d, shape["vocab"])}
    for _ in range(shape["layers"]):
        for columns in (d, shape["kv_heads"] * size, shape["kv_heads"] * size):
            made["projections"] += product(rows, d, columns)
        made["projections"] += product(rows, d, d)
        for _ in range(shape["heads"]):
            made["attention"] += product(rows, size, context) + product(rows, context, size)
        made["feed_forward"] += 2 * product(rows, d, shape["d_hidden"]) + product(rows, shape["d_hidden"], d)
    return made
