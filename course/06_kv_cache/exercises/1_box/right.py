"""Right answers to exercise 06.1, each by another mechanism."""

# %% a torch module whose answers are inference tensors
class LayerCache(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kv", None)

    def append(self, k, v):
        new = torch.stack((k, v))
        self.kv = new if self.kv is None else torch.cat((self.kv, new), 2)

    @torch.inference_mode()
    def attend(self, q):
        keys, values = self.kv[:, None]
        return attention(q[None], keys, values, causal_mask(q.shape[1], keys.shape[2]))[0]

# %% makes one longer tensor at each append
class LayerCache:
    def __init__(self):
        self.keys = self.values = None

    def append(self, k, v):
        if self.keys is None:
            self.keys, self.values = k.clone(), v.clone()
        else:
            self.keys, self.values = torch.cat((self.keys, k), 1), torch.cat((self.values, v), 1)

    def attend(self, q):
        mask = causal_mask(q.shape[1], self.keys.shape[1])
        return attention(q[None], self.keys[None], self.values[None], mask)[0]

# %% asks each query by itself, over exactly its past, softmax written out
class LayerCache:
    def __init__(self):
        self.cards = []

    def append(self, k, v):
        self.cards += [(k[:, t].clone(), v[:, t].clone()) for t in range(k.shape[1])]

    def attend(self, q):
        answers = []
        for row in range(q.shape[1]):
            past = self.cards[:len(self.cards) - q.shape[1] + row + 1]
            k, v = (torch.stack(part, 1).repeat_interleave(len(q) // len(past[0][0]), 0) for part in zip(*past))
            weights = ((q[:, row, None] * k).sum(-1) / q.shape[-1]**0.5).softmax(-1)
            answers.append((weights[:, :, None] * v).sum(1))
        return torch.stack(answers, 1)

# %% writes into room that doubles when it is full
class LayerCache:
    def __init__(self):
        self.room, self.length = None, 0

    def append(self, k, v):
        end = self.length + k.shape[1]
        if self.room is None or end > self.room.shape[2]:
            old, self.room = self.room, k.new_zeros(2, k.shape[0], 2 * end, k.shape[2])
            if old is not None:
                self.room[:, :, :self.length] = old[:, :, :self.length]
        self.room[0, :, self.length:end], self.room[1, :, self.length:end] = k, v
        self.length = end

    def attend(self, q):
        keys, values = self.room[:, :, :self.length]
        mask = causal_mask(q.shape[1], self.length)
        return attention(q[None], keys[None], values[None], mask)[0]
