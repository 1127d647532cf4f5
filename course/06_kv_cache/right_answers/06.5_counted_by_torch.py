# exercise: 06.5
# mechanism: products of tensors without memory, counted by torch
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
