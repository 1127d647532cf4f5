# exercise: 06.1
# reason: sees-the-future
# passes the visible example: yes
# story: "the newest token may look at everything": a piece of several tokens sees ahead
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = None
        return attention(q[None], keys[None], values[None], mask)[0]
