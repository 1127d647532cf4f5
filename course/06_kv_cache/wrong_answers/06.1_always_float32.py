# exercise: 06.1
# reason: wrong-dtype
# passes the visible example: no
# story: keeps 32-bit floats, whatever comes in
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.float(), v.float()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None].float(), keys[None], values[None], mask)[0]
