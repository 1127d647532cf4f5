# exercise: 06.1
# reason: top-left
# passes the visible example: no
# story: lets torch align the mask, at the top left
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = torch.ones(q.shape[1], keys.shape[1]).tril().bool()
        return attention(q[None], keys[None], values[None], mask)[0]
