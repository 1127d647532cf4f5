"""Wrong answers to exercise 06.1: why each is rejected, whether it passes the lab's example, its story."""

# %% wrong-dtype | visible: no | keeps 32-bit floats, whatever comes in
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.float(), v.float()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None].float(), keys[None], values[None], mask)[0]

# %% changed-by-asking | visible: yes | remembers its last answer, and gives the same tensor again
class LayerCache:
    def __init__(self):
        self.pieces, self.known = [], {}

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        if len(self.pieces) not in self.known:
            keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
            mask = causal_mask(q.shape[1], keys.shape[1])
            self.known[len(self.pieces)] = attention(q[None], keys[None], values[None], mask)[0]
        return self.known[len(self.pieces)]

# %% not-empty | visible: yes | a default argument is made once: the second box is the first one
class LayerCache:
    def __init__(self, pieces=[]):
        self.pieces = pieces

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        return attention(q[None], keys[None], values[None], causal_mask(q.shape[1], keys.shape[1]))[0]

# %% exception | visible: yes | lets torch multiply as many KV heads as query heads
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        scores = torch.einsum("hqd,hkd->hqk", q, keys) / q.shape[-1]**0.5
        scores = scores.masked_fill(~causal_mask(*scores.shape[1:]), -torch.inf)
        return torch.einsum("hqk,hkd->hqd", scores.softmax(-1), values)

# %% shares-its-box | visible: yes | one list, and every new box empties it first: right for one text at a time, and for no two
pieces = []


class LayerCache:
    def __init__(self):
        pieces.clear()

    def append(self, k, v):
        pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None], keys[None], values[None], mask)[0]

# %% keeps-the-callers-tensor | visible: yes | torch.cat copies, so only the first piece is still the caller's
class LayerCache:
    def __init__(self):
        self.keys = self.values = None

    def append(self, k, v):
        if self.keys is None:
            self.keys, self.values = k, v
        else:
            self.keys, self.values = torch.cat((self.keys, k), 1), torch.cat((self.values, v), 1)

    def attend(self, q):
        mask = causal_mask(q.shape[1], self.keys.shape[1])
        return attention(q[None], self.keys[None], self.values[None], mask)[0]

# %% wrong-answer | visible: no | keeps 32-bit floats and gives back the caller's format: rounded
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.float(), v.float()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None].float(), keys[None], values[None], mask)[0].to(q.dtype)

# %% wrong-group | visible: yes | repeats the KV heads as a whole, so query head 1 reads KV head 1
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        keys, values = (part.repeat(len(q) // len(part), 1, 1) for part in (keys, values))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None], keys[None], values[None], mask)[0]

# %% keeps-the-callers-tensor | visible: yes | stores the tensors that it is given, and not copies of them
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k, v))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None], keys[None], values[None], mask)[0]

# %% exchanged | visible: no | stores the values first and reads the keys first
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((v.clone(), k.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None], keys[None], values[None], mask)[0]

# %% wrong-answer | visible: yes | asks with the last query only, and gives its answer to every token
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        last = attention(q[None, :, -1:], keys[None], values[None])[0]
        return last.repeat(1, q.shape[1], 1)

# %% sees-the-future | visible: yes | masks the first piece, and no later one
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1]) if len(self.pieces) == 1 else None
        return attention(q[None], keys[None], values[None], mask)[0]

# %% forgets | visible: no | keeps the newest piece and drops the older ones
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces = [(k.clone(), v.clone())]

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None], keys[None], values[None], mask)[0]

# %% newest-first | visible: yes | puts new cards in front: right for single tokens, where the mask hides nothing
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.insert(0, (k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None], keys[None], values[None], mask)[0]

# %% sees-the-future | visible: yes | "the newest token may look at everything": a piece of several tokens sees ahead
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = None
        return attention(q[None], keys[None], values[None], mask)[0]

# %% own-token-missing | visible: no | asks before the new tokens are in the box
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        keys, values = (p[:, :-q.shape[1]] if len(self.pieces) > 1 else p for p in (keys, values))
        mask = None if len(self.pieces) > 1 else causal_mask(q.shape[1], q.shape[1])
        return attention(q[None], keys[None], values[None], mask)[0]

# %% overwrites-its-answers | visible: no | saves an allocation: every answer of a shape is written into the same tensor
class LayerCache:
    def __init__(self):
        self.pieces, self.room = [], {}

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        answers = attention(q[None], keys[None], values[None], mask)[0]
        room = self.room.setdefault(answers.shape, torch.empty_like(answers))
        return room.copy_(answers)

# %% not-empty | visible: yes | the list stands outside of the class: every text writes into it
pieces = []


class LayerCache:
    def append(self, k, v):
        pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*pieces))
        last = sum(len(k[0]) for k, _ in pieces)
        return attention(q[None], keys[None], values[None], causal_mask(q.shape[1], last))[0]

# %% loses-a-piece | visible: yes | new tokens wait in one place until somebody asks, and the next piece takes that place
class LayerCache:
    def __init__(self):
        self.pieces, self.new = [], None

    def append(self, k, v):
        self.new = (k.clone(), v.clone())

    def attend(self, q):
        if self.new:
            self.pieces.append(self.new)
            self.new = None
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None], keys[None], values[None], mask)[0]

# %% more-queries | visible: yes | believes that a question never goes back behind the newest piece
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        asked, q = q.shape[1], q[:, -self.pieces[-1][0].shape[1]:]
        mask = causal_mask(q.shape[1], keys.shape[1])
        answers = attention(q[None], keys[None], values[None], mask)[0]
        return torch.nn.functional.pad(answers, (0, 0, asked - q.shape[1], 0))

# %% fewer-queries | visible: yes | takes the length of the last piece for the number of queries
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(self.pieces[-1][0].shape[1], keys.shape[1])[:q.shape[1]]
        return attention(q[None], keys[None], values[None], mask)[0]

# %% loses-old-tokens | visible: yes | room for sixteen tokens; the oldest fall out
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1)[:, -16:] for part in zip(*self.pieces))
        mask = torch.arange(keys.shape[1]) <= torch.arange(q.shape[1])[:, None] + keys.shape[1] - q.shape[1]
        mask[~mask.any(1), 0] = True
        return attention(q[None], keys[None], values[None], mask)[0]

# %% top-left | visible: no | lets torch align the mask, at the top left
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = torch.ones(q.shape[1], keys.shape[1]).tril().bool()
        return attention(q[None], keys[None], values[None], mask)[0]

# %% not-empty | visible: yes | what boxes hold lies in a common dict under id(self), and an address is given again when its box is gone
HELD = {}


class LayerCache:
    def append(self, k, v):
        HELD.setdefault(id(self), []).append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*HELD[id(self)]))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None], keys[None], values[None], mask)[0]

# %% loses-old-tokens | visible: yes | keeps the newest thousand tokens only: no test text was ever longer
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1)[:, -1000:] for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None], keys[None], values[None], mask)[0]

# %% wrong-answer | visible: yes | an attention of its own that fills with -1e4
class LayerCache:
    def __init__(self):
        self.k, self.v = [], []

    def append(self, k, v):
        self.k.append(k.clone())
        self.v.append(v.clone())

    def attend(self, q):
        k, v = torch.cat(self.k, 1), torch.cat(self.v, 1)
        group = q.shape[0] // k.shape[0]
        k, v = k.repeat_interleave(group, 0), v.repeat_interleave(group, 0)
        scores = q @ k.mT * q.shape[-1] ** -0.5
        scores = torch.where(causal_mask(q.shape[1], k.shape[1]), scores, -1e4)
        return scores.softmax(-1) @ v

# %% wrong-answer | visible: yes | an attention of its own that fills with -1e9
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        k, v = (torch.cat(parts, 1) for parts in zip(*self.pieces))
        group = q.shape[0] // k.shape[0]
        scores = q @ k.repeat_interleave(group, 0).mT / q.shape[-1] ** 0.5
        scores = scores.double().masked_fill(~causal_mask(q.shape[1], k.shape[1]), -1e9)
        return scores.softmax(-1).to(q.dtype) @ v.repeat_interleave(group, 0)

# %% wrong-dtype | visible: yes | knows one dtype of sixteen bits
class LayerCache:
    def __init__(self):
        self.pieces = []
    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))
    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        out = attention(q[None], keys[None], values[None], mask)[0]
        return out.half() if q.dtype not in (torch.float32, torch.float64) else out
