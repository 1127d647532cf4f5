# exercise: 06.1
# reason: wrong-group
# passes the visible example: yes
# story: repeats the KV heads as a whole, so query head 1 reads KV head 1
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
