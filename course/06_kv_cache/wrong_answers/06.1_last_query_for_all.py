# exercise: 06.1
# reason: wrong-answer
# passes the visible example: yes
# story: asks with the last query only, and gives its answer to every token
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None, :, -1:], keys[None], values[None]).expand(-1, -1, q.shape[1], -1)[0]
