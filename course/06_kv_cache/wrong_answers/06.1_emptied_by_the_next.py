# exercise: 06.1
# reason: shares-its-box
# passes the visible example: yes
# story: one list, and every new box empties it first: right for one text at a time, and for no two
pieces = []


class LayerCache:
    def __init__(self):
        pieces.clear()

    def append(self, k, v):
        pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None], keys[None], values[None], mask)[0]
