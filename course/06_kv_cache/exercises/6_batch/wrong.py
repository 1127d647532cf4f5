"""Wrong answers to exercise 06.6: why each is rejected, whether it passes the lab's example, its story."""

# %% position-of-another | visible: yes | one position for the whole batch: that of the longest row
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size):
        self.keys, self.values = torch.zeros(rows, kv_heads, capacity, size), torch.zeros(rows, kv_heads, capacity, size)
        self.lengths = torch.zeros(rows, dtype=torch.long)

    def step(self, rows, q, k, v):
        at = self.lengths[rows]
        place = at.max().expand(len(rows))
        self.keys[rows, :, at] = turned(k, place)
        self.values[rows, :, at] = v
        self.lengths[rows] += 1
        mask = torch.arange(self.keys.shape[2]) <= at[:, None, None, None]
        return attention(turned(q, place)[:, :, None], self.keys[rows], self.values[rows], mask)[:, :, 0]

    def release(self, row):
        self.lengths[row] = 0

# %% position-of-another | visible: yes | the number of the step is the position
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size):
        self.keys, self.values = torch.zeros(rows, kv_heads, capacity, size), torch.zeros(rows, kv_heads, capacity, size)
        self.steps = 0
        self.lengths = torch.zeros(rows, dtype=torch.long)

    def step(self, rows, q, k, v):
        at = self.lengths[rows]
        place = torch.full((len(rows),), self.steps)
        self.steps += 1
        self.keys[rows, :, at] = turned(k, place)
        self.values[rows, :, at] = v
        self.lengths[rows] += 1
        mask = torch.arange(self.keys.shape[2]) <= at[:, None, None, None]
        return attention(turned(q, place)[:, :, None], self.keys[rows], self.values[rows], mask)[:, :, 0]

    def release(self, row):
        self.lengths[row] = 0

# %% turns-one-only | visible: no | turns the keys as they go in, and forgets the query
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size):
        self.keys, self.values = torch.zeros(rows, kv_heads, capacity, size), torch.zeros(rows, kv_heads, capacity, size)
        self.lengths = torch.zeros(rows, dtype=torch.long)

    def step(self, rows, q, k, v):
        at = self.lengths[rows]
        self.keys[rows, :, at] = turned(k, at)
        self.values[rows, :, at] = v
        self.lengths[rows] += 1
        mask = torch.arange(self.keys.shape[2]) <= at[:, None, None, None]
        return attention(q[:, :, None], self.keys[rows], self.values[rows], mask)[:, :, 0]

    def release(self, row):
        self.lengths[row] = 0

# %% no-positions | visible: no | leaves positions out
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size):
        self.keys, self.values = torch.zeros(rows, kv_heads, capacity, size), torch.zeros(rows, kv_heads, capacity, size)
        self.lengths = torch.zeros(rows, dtype=torch.long)

    def step(self, rows, q, k, v):
        at = self.lengths[rows]
        self.keys[rows, :, at] = k
        self.values[rows, :, at] = v
        self.lengths[rows] += 1
        mask = torch.arange(self.keys.shape[2]) <= at[:, None, None, None]
        return attention(q[:, :, None], self.keys[rows], self.values[rows], mask)[:, :, 0]

    def release(self, row):
        self.lengths[row] = 0

# %% turns-the-values | visible: no | turns everything that comes in
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size):
        self.keys, self.values = torch.zeros(rows, kv_heads, capacity, size), torch.zeros(rows, kv_heads, capacity, size)
        self.lengths = torch.zeros(rows, dtype=torch.long)

    def step(self, rows, q, k, v):
        at = self.lengths[rows]
        self.keys[rows, :, at] = turned(k, at)
        self.values[rows, :, at] = turned(v, at)
        self.lengths[rows] += 1
        mask = torch.arange(self.keys.shape[2]) <= at[:, None, None, None]
        return attention(turned(q, at)[:, :, None], self.keys[rows], self.values[rows], mask)[:, :, 0]

    def release(self, row):
        self.lengths[row] = 0

# %% reads-too-far | visible: yes | reads every row as far as the longest of the step
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size):
        self.keys, self.values = torch.zeros(rows, kv_heads, capacity, size), torch.zeros(rows, kv_heads, capacity, size)
        self.lengths = torch.zeros(rows, dtype=torch.long)

    def step(self, rows, q, k, v):
        at = self.lengths[rows]
        self.keys[rows, :, at] = turned(k, at)
        self.values[rows, :, at] = v
        self.lengths[rows] += 1
        mask = torch.arange(self.keys.shape[2]) <= at.max()
        return attention(turned(q, at)[:, :, None], self.keys[rows], self.values[rows], mask)[:, :, 0]

    def release(self, row):
        self.lengths[row] = 0

# %% reads-too-far | visible: no | no mask: what is empty is zero, and zero does no harm
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size):
        self.keys, self.values = torch.zeros(rows, kv_heads, capacity, size), torch.zeros(rows, kv_heads, capacity, size)
        self.lengths = torch.zeros(rows, dtype=torch.long)

    def step(self, rows, q, k, v):
        at = self.lengths[rows]
        self.keys[rows, :, at] = turned(k, at)
        self.values[rows, :, at] = v
        self.lengths[rows] += 1
        return attention(turned(q, at)[:, :, None], self.keys[rows], self.values[rows])[:, :, 0]

    def release(self, row):
        self.lengths[row] = 0

# %% wrong-row | visible: yes | the n-th token goes into row n
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size):
        self.keys, self.values = torch.zeros(rows, kv_heads, capacity, size), torch.zeros(rows, kv_heads, capacity, size)
        self.lengths = torch.zeros(rows, dtype=torch.long)

    def step(self, rows, q, k, v):
        rows = list(range(len(rows)))
        at = self.lengths[rows]
        self.keys[rows, :, at] = turned(k, at)
        self.values[rows, :, at] = v
        self.lengths[rows] += 1
        mask = torch.arange(self.keys.shape[2]) <= at[:, None, None, None]
        return attention(turned(q, at)[:, :, None], self.keys[rows], self.values[rows], mask)[:, :, 0]

    def release(self, row):
        self.lengths[row] = 0

# %% not-released | visible: yes | release wipes the numbers and leaves the length
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size):
        self.keys, self.values = torch.zeros(rows, kv_heads, capacity, size), torch.zeros(rows, kv_heads, capacity, size)
        self.lengths = torch.zeros(rows, dtype=torch.long)

    def step(self, rows, q, k, v):
        at = self.lengths[rows]
        self.keys[rows, :, at] = turned(k, at)
        self.values[rows, :, at] = v
        self.lengths[rows] += 1
        mask = torch.arange(self.keys.shape[2]) <= at[:, None, None, None]
        return attention(turned(q, at)[:, :, None], self.keys[rows], self.values[rows], mask)[:, :, 0]

    def release(self, row):
        self.keys[row] = 0.0
        self.values[row] = 0.0

# %% wrong-group | visible: yes | heads take KV heads in turn
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size):
        self.keys, self.values = torch.zeros(rows, kv_heads, capacity, size), torch.zeros(rows, kv_heads, capacity, size)
        self.lengths = torch.zeros(rows, dtype=torch.long)

    def step(self, rows, q, k, v):
        at = self.lengths[rows]
        self.keys[rows, :, at] = turned(k, at)
        self.values[rows, :, at] = v
        self.lengths[rows] += 1
        mask = torch.arange(self.keys.shape[2]) <= at[:, None, None, None]
        group = q.shape[1] // k.shape[1]
        keys, values = (part[rows].repeat(1, group, 1, 1) for part in (self.keys, self.values))
        return attention(turned(q, at)[:, :, None], keys, values, mask)[:, :, 0]

    def release(self, row):
        self.lengths[row] = 0

# %% own-token-missing | visible: no | asks before the new token is written
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size):
        self.keys, self.values = torch.zeros(rows, kv_heads, capacity, size), torch.zeros(rows, kv_heads, capacity, size)
        self.lengths = torch.zeros(rows, dtype=torch.long)

    def step(self, rows, q, k, v):
        at = self.lengths[rows]
        self.keys[rows, :, at] = turned(k, at)
        self.values[rows, :, at] = v
        self.lengths[rows] += 1
        mask = torch.arange(self.keys.shape[2]) < at.clamp(min=1)[:, None, None, None]
        return attention(turned(q, at)[:, :, None], self.keys[rows], self.values[rows], mask)[:, :, 0]

    def release(self, row):
        self.lengths[row] = 0

# %% loses-low-scores | visible: yes | fills empty places with -1e4
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size):
        self.keys, self.values = torch.zeros(rows, kv_heads, capacity, size), torch.zeros(rows, kv_heads, capacity, size)
        self.lengths = torch.zeros(rows, dtype=torch.long)

    def step(self, rows, q, k, v):
        at = self.lengths[rows]
        self.keys[rows, :, at] = turned(k, at)
        self.values[rows, :, at] = v
        self.lengths[rows] += 1
        empty = torch.arange(self.keys.shape[2]) > at[:, None, None, None]
        group = q.shape[1] // k.shape[1]
        keys, values = (part[rows].repeat_interleave(group, 1) for part in (self.keys, self.values))
        scores = turned(q, at)[:, :, None] @ keys.mT / q.shape[-1] ** 0.5
        return (scores.masked_fill(empty, -1e4).softmax(-1) @ values)[:, :, 0]

    def release(self, row):
        self.lengths[row] = 0

# %% shares-its-cache | visible: yes | a default that all caches share
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size, texts={}):
        self.texts = texts
        for row in range(rows):
            self.texts[row] = []

    def step(self, rows, q, k, v):
        answers = []
        for n, row in enumerate(rows):
            at = torch.tensor([len(self.texts[row])])
            self.texts[row].append((turned(k[n : n + 1], at)[0], v[n].clone()))
            keys, values = (torch.stack(part, 1) for part in zip(*self.texts[row]))
            answers.append(attention(turned(q[n : n + 1], at)[:, :, None], keys[None], values[None])[0, :, 0])
        return torch.stack(answers)

    def release(self, row):
        self.texts[row] = []

# %% wrong-answer | visible: no | keeps the caller's tensors of values
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size):
        self.texts = [[] for _ in range(rows)]

    def step(self, rows, q, k, v):
        answers = []
        for n, row in enumerate(rows):
            at = torch.tensor([len(self.texts[row])])
            self.texts[row].append((turned(k[n : n + 1], at)[0], v[n]))
            keys, values = (torch.stack(part, 1) for part in zip(*self.texts[row]))
            answers.append(attention(turned(q[n : n + 1], at)[:, :, None], keys[None], values[None])[0, :, 0])
        return torch.stack(answers)

    def release(self, row):
        self.texts[row] = []

# %% loses-low-scores | visible: yes | an attention of its own that fills with -1e9
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size):
        self.k = torch.zeros(rows, kv_heads, capacity, size); self.v = torch.zeros_like(self.k)
        self.n = torch.zeros(rows, dtype=torch.long)
    def step(self, rows, q, k, v):
        at = self.n[rows]
        self.k[rows, :, at] = turned(k, at); self.v[rows, :, at] = v
        self.n[rows] += 1
        g = q.shape[1] // k.shape[1]
        kk, vv = (t[rows].repeat_interleave(g, 1) for t in (self.k, self.v))
        s = (turned(q, at)[:, :, None] @ kk.mT) / q.shape[-1] ** 0.5
        s = s.masked_fill(~(torch.arange(self.k.shape[2]) <= at[:, None, None, None]), -1e9)
        return (s.softmax(-1) @ vv)[:, :, 0]
    def release(self, row):
        self.n[row] = 0

# %% exception | visible: yes | as many rows as the example has
class BatchCache:
    def __init__(self, rows, kv_heads, capacity, size):
        self.k = torch.zeros(3, kv_heads, capacity, size); self.v = torch.zeros_like(self.k)
        self.n = torch.zeros(3, dtype=torch.long)
    def step(self, rows, q, k, v):
        at = self.n[rows]
        self.k[rows, :, at] = turned(k, at); self.v[rows, :, at] = v
        self.n[rows] += 1
        mask = torch.arange(self.k.shape[2]) <= at[:, None, None, None]
        return attention(turned(q, at)[:, :, None], self.k[rows], self.v[rows], mask)[:, :, 0]
    def release(self, row):
        self.n[row] = 0
