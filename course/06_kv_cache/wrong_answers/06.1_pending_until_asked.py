# exercise: 06.1
# reason: loses-a-piece
# passes the visible example: yes
# story: new tokens wait in one place until somebody asks, and the next piece takes that place
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
