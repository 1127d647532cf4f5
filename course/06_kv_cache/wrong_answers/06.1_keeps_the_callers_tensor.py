# exercise: 06.1
# reason: keeps-the-callers-tensor
# passes the visible example: yes
# story: stores the tensors that it is given, and not copies of them
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k, v))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None], keys[None], values[None], mask)[0]
