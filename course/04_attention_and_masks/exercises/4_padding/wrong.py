"""Wrong answers to exercise 04.4: why each is rejected, whether it passes the lab's example, its story."""

# %% sees-padding | visible: no | forgets the padding
def who_may_look(tokens, q_len):
    batch, kv_len = tokens.shape
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    return causal.expand(batch, 1, -1, -1)

# %% empty-row | visible: yes | joins by and, and leaves empty rows empty
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    return causal & tokens[:, None, None, :]

# %% loses-the-past | visible: no | hides the rows of padding instead of its columns as well
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    return causal & tokens[:, None, None, :] & tokens[:, None, -q_len:, None]

# %% empty-row | visible: yes | opens an empty row at the diagonal of the top left corner
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    mask = causal & tokens[:, None, None, :]
    own = torch.eye(q_len, kv_len, dtype=torch.bool)
    return mask | (~mask.any(-1, keepdim=True) & own & (q_len < kv_len))

# %% sees-the-future | visible: yes | lets an empty row look everywhere
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    mask = causal & tokens[:, None, None, :]
    return mask | ~mask.any(-1, keepdim=True)

# %% changes-its-input | visible: no | works out the table, and leaves the tokens of the caller all True
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    place = torch.arange(kv_len)
    query = place[kv_len - q_len:, None]
    mask = (place <= query) & tokens[:, None, None, :]
    table = mask | (~mask.any(-1, keepdim=True) & (place == query))
    tokens |= True
    return table

# %% sees-padding | visible: no | lets every padded query look at itself, also where it has a past
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    own = torch.ones(q_len, kv_len).triu(kv_len - q_len).bool() & causal
    return (causal & tokens[:, None, None, :]) | own

# %% sees-the-future | visible: no | returns the padding mask alone
def who_may_look(tokens, q_len):
    return tokens[:, None, None, :].expand(-1, 1, q_len, -1)

# %% sees-padding | visible: yes | keeps the table of a shape for the next batch of that shape: a key that is too coarse
TABLES = {}


def who_may_look(tokens, q_len):
    key = (tuple(tokens.shape), q_len)
    if key not in TABLES:
        kv_len = tokens.shape[1]
        place = torch.arange(kv_len)
        query = place[kv_len - q_len:, None]
        mask = (place <= query) & tokens[:, None, None, :]
        TABLES[key] = mask | (~mask.any(-1, keepdim=True) & (place == query))
    return TABLES[key]

# %% top-left | visible: yes | counts from the top left corner
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril()
    mask = causal & tokens[:, None, None, :]
    own = torch.eye(q_len, kv_len, dtype=torch.bool)
    return mask | (~mask.any(-1, keepdim=True) & own)

# %% inverted | visible: no | the convention of nn.MultiheadAttention
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    future = torch.ones(q_len, kv_len, dtype=torch.bool).triu(kv_len - q_len + 1)
    blocked = future | ~tokens[:, None, None, :]
    own = torch.ones(q_len, kv_len).triu(kv_len - q_len).tril(kv_len - q_len).bool()
    return blocked & ~(blocked.all(-1, keepdim=True) & own)

# %% wrong-shape | visible: no | leaves out the axis of the heads
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    mask = causal & tokens[:, None, :]
    return mask | (~mask.any(-1, keepdim=True) & torch.eye(kv_len, dtype=torch.bool)[-q_len:])

# %% same-memory | visible: yes | one table for each shape, written anew
tables = {}


def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    key = torch.arange(kv_len)
    query = key[kv_len - q_len:, None]
    table = (key <= query) & tokens[:, None, None, :]
    table = table | (~table.any(-1, keepdim=True) & (key == query))
    return tables.setdefault(table.shape, torch.empty_like(table)).copy_(table)

# %% sees-padding | visible: yes | the own places of all rows of the batch, for each of them
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    place = torch.arange(kv_len)
    query = place[kv_len - q_len:, None]
    mask = (place <= query) & tokens[:, None, None, :]
    empty = ~mask.any(-1, keepdim=True)
    return mask | (empty & (place == query)).any(0)

# %% same-memory | visible: yes | one query of a row without padding sees just the tokens: it hands back a view of the caller's
def who_may_look(tokens, q_len):
    kv = tokens.shape[1]
    if q_len == 1 and tokens.any(-1).all():
        return tokens[:, None, None, :]
    place = torch.arange(kv)
    query = place[kv - q_len:, None]
    mask = (place <= query) & tokens[:, None, None, :]
    return mask | (~mask.any(-1, keepdim=True) & (place == query))

# %% sees-padding | visible: yes | saves memory: places are numbers of eight bits, which end at 127
def who_may_look(tokens, q_len):
    kv = tokens.shape[1]
    place = torch.arange(kv).to(torch.int8)
    query = place[kv - q_len:, None]
    mask = (place <= query) & tokens[:, None, None, :]
    return mask | (~mask.any(-1, keepdim=True) & (place == query))
