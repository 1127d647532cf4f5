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
        last = attention(q[None, :, -1:], keys[None], values[None])[0]
        return last.repeat(1, q.shape[1], 1)
