# exercise: 06.1
# reason: exception
# passes the visible example: yes
# story: lets torch multiply as many KV heads as query heads
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        scores = torch.einsum("hqd,hkd->hqk", q, keys) / q.shape[-1]**0.5
        scores = scores.masked_fill(~causal_mask(*scores.shape[1:]), -torch.inf)
        return torch.einsum("hqk,hkd->hqd", scores.softmax(-1), values)
