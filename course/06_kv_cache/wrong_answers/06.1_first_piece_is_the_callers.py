# exercise: 06.1
# reason: keeps-the-callers-tensor
# passes the visible example: yes
# story: torch.cat copies, so only the first piece is still the caller's
class LayerCache:
    def __init__(self):
        self.keys = self.values = None

    def append(self, k, v):
        if self.keys is None:
            self.keys, self.values = k, v
        else:
            self.keys, self.values = torch.cat((self.keys, k), 1), torch.cat((self.values, v), 1)

    def attend(self, q):
        mask = causal_mask(q.shape[1], self.keys.shape[1])
        return attention(q[None], self.keys[None], self.values[None], mask)[0]
