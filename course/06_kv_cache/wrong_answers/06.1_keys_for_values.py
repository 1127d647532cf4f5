# exercise: 06.1
# reason: exchanged
# passes the visible example: no
# story: stores the values first and reads the keys first
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((v.clone(), k.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None], keys[None], values[None], mask)[0]
