# exercise: 06.1
# mechanism: makes one longer tensor at each append
class LayerCache:
    def __init__(self):
        self.keys = self.values = None

    def append(self, k, v):
        if self.keys is None:
            self.keys, self.values = k.clone(), v.clone()
        else:
            self.keys, self.values = torch.cat((self.keys, k), 1), torch.cat((self.values, v), 1)

    def attend(self, q):
        mask = causal_mask(q.shape[1], self.keys.shape[1])
        return attention(q[None], self.keys[None], self.values[None], mask)[0]
