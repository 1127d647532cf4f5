# exercise: 06.1
# reason: fewer-queries
# passes the visible example: yes
# story: takes the length of the last piece for the number of queries
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(self.pieces[-1][0].shape[1], keys.shape[1])[:q.shape[1]]
        return attention(q[None], keys[None], values[None], mask)[0]
