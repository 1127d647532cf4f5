"""Wrong answers to exercise 06.5: why each is rejected, whether it passes the lab's example, its story."""

# %% one-row-only | visible: yes | one row, with a cache or without
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 4 * d * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }

# %% not-the-context | visible: no | believes that the cache makes attention O(1)
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 4 * d,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }

# %% not-a-whole-number | visible: no | divides to a float
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d / shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 4 * d * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }

# %% kv-heads-in-attention | visible: yes | lets grouped heads save scores
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

# %% half-the-triangle | visible: yes | counts only the scores that the mask leaves open
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 4 * d * context if cached else layers * 2 * d * context * (context + 1),
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }

# %% head-in-every-layer | visible: no | multiplies everything by the layers, the logits too
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

# %% query-heads | visible: yes | half of the projections are k and v, whatever the heads
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    return {
        "projections": layers * rows * 8 * d * d,
        "attention": layers * rows * 4 * d * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }

# %% one-row-only | visible: yes | makes the logits of the last token alone, which this model does not
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

# %% one-of-two | visible: no | counts multiplications alone
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 2 * d * (d + kv),
        "attention": layers * rows * 2 * d * context,
        "feed_forward": layers * rows * 3 * d * shape["d_hidden"],
        "head": rows * d * shape["vocab"],
    }

# %% forgets-the-gate | visible: no | an ordinary feed-forward of two matrices
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 4 * d * context,
        "feed_forward": layers * rows * 4 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }

# %% forgets-a-projection | visible: no | q, k and v, and no o
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 2 * d * (d + 2 * kv),
        "attention": layers * rows * 4 * d * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }

# %% overwrites-its-answers | visible: no | a default value is made once, so every answer is the same dict, and the newest cost stands in all of them
def step_cost(shape, context, cached, cost={}):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    cost["projections"] = layers * rows * 4 * d * (d + kv)
    cost["attention"] = layers * rows * 4 * d * context
    cost["feed_forward"] = layers * rows * 6 * d * shape["d_hidden"]
    cost["head"] = rows * 2 * d * shape["vocab"]
    return cost

# %% changes-its-input | visible: no | takes the vocabulary out of the caller's dict
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 4 * d * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape.pop("vocab"),
    }

# %% query-heads | visible: yes | gives k and v as many heads as q
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d
    return {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 4 * d * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }

# %% wrong-attention | visible: yes | keeps what a shape cost, and forgets that the context belongs to the question
KNOWN = {}


def step_cost(shape, context, cached):
    asked = (*shape.values(), cached)
    if asked in KNOWN:
        return KNOWN[asked]
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    KNOWN[asked] = {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 4 * d * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }
    return KNOWN[asked]

# %% rows-of-the-past | visible: no | lets the whole context pass through the model, cache or not
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

# %% one-product | visible: no | counts the scores and forgets the mix of the values
def step_cost(shape, context, cached):
    d, layers = shape["d_model"], shape["layers"]
    rows = 1 if cached else context
    kv = d // shape["heads"] * shape["kv_heads"]
    return {
        "projections": layers * rows * 4 * d * (d + kv),
        "attention": layers * rows * 2 * d * context,
        "feed_forward": layers * rows * 6 * d * shape["d_hidden"],
        "head": rows * 2 * d * shape["vocab"],
    }

# %% layers-of-the-example | visible: yes | three layers, as in the example
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
