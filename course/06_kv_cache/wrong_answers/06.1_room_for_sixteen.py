# exercise: 06.1
# reason: loses-old-tokens
# passes the visible example: yes
# story: room for sixteen tokens; the oldest fall out
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1)[:, -16:] for part in zip(*self.pieces))
        mask = torch.arange(keys.shape[1]) <= torch.arange(q.shape[1])[:, None] + keys.shape[1] - q.shape[1]
        mask[~mask.any(1), 0] = True
        return attention(q[None], keys[None], values[None], mask)[0]
