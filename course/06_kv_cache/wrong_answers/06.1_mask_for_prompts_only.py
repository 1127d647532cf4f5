# exercise: 06.1
# reason: sees-the-future
# passes the visible example: yes
# story: masks the first piece, and no later one
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1]) if len(self.pieces) == 1 else None
        return attention(q[None], keys[None], values[None], mask)[0]
