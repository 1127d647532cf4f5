"""Right answers to exercise 06.5, each by another mechanism."""

# %% products of tensors without memory, counted by torch
from torch.utils.flop_counter import FlopCounterMode


def step_cost(shape, context, cached):
    rows, d, heads = 1 if cached else context, shape["d_model"], shape["heads"]
    size, layers = d // heads, shape["layers"]

    def empty(*sizes):
        return torch.empty(*sizes, device="meta")

    def counted(*pairs):
        with FlopCounterMode(display=False) as counter:
            for one, other in pairs:
                empty(*one) @ empty(*other)
        return counter.get_total_flops()

    into_kv = ((rows, d), (d, shape["kv_heads"] * size))
    up = ((rows, d), (d, shape["d_hidden"]))
    return {
        "projections": layers * counted(((rows, d), (d, d)), ((rows, d), (d, d)), into_kv, into_kv),
        "attention": layers * counted(((heads, rows, size), (heads, size, context)),
                                      ((heads, rows, context), (heads, context, size))),
        "feed_forward": layers * counted(up, up, ((rows, shape["d_hidden"]), (shape["d_hidden"], d))),
        "head": counted(((rows, d), (d, shape["vocab"]))),
    }

# %% adds up the products one by one
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

# %% one row first, then as many rows as pass through
def one_row(shape, context):
    d, layers = shape["d_model"], shape["layers"]
    share = shape["kv_heads"] / shape["heads"]
    kv = round(d * share)
    return {"projections": 4 * layers * d * d + 4 * layers * d * kv, "attention": 4 * layers * d * context,
            "feed_forward": 6 * layers * d * shape["d_hidden"], "head": 2 * d * shape["vocab"]}


def step_cost(shape, context, cached):
    rows = 1 if cached else context
    return {part: rows * cost for part, cost in one_row(shape, context).items()}
