# exercise: 06.1
# reason: not-empty
# passes the visible example: yes
# story: a default argument is made once: the second box is the first one
class LayerCache:
    def __init__(self, pieces=[]):
        self.pieces = pieces

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        return attention(q[None], keys[None], values[None], causal_mask(q.shape[1], keys.shape[1]))[0]
