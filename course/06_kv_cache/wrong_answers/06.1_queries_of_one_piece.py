# exercise: 06.1
# reason: more-queries
# passes the visible example: yes
# story: believes that a question never goes back behind the newest piece
class LayerCache:
    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        asked, q = q.shape[1], q[:, -self.pieces[-1][0].shape[1]:]
        mask = causal_mask(q.shape[1], keys.shape[1])
        answers = attention(q[None], keys[None], values[None], mask)[0]
        return torch.nn.functional.pad(answers, (0, 0, asked - q.shape[1], 0))
