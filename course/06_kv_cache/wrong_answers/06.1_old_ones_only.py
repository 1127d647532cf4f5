# exercise: 06.1
# reason: own-token-missing
# passes the visible example: no
# story: asks before the new tokens are in the box
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
