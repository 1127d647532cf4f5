# exercise: 06.1
# reason: not-empty
# passes the visible example: yes
# story: what boxes hold lies in a common dict under id(self), and an address is given again when its box is gone
HELD = {}


class LayerCache:
    def append(self, k, v):
        HELD.setdefault(id(self), []).append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*HELD[id(self)]))
        mask = causal_mask(q.shape[1], keys.shape[1])
        return attention(q[None], keys[None], values[None], mask)[0]
