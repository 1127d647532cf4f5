# exercise: 06.1
# reason: overwrites-its-answers
# passes the visible example: no
# story: saves an allocation: every answer of a shape is written into the same tensor
class LayerCache:
    def __init__(self):
        self.pieces, self.room = [], {}

    def append(self, k, v):
        self.pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*self.pieces))
        mask = causal_mask(q.shape[1], keys.shape[1])
        answers = attention(q[None], keys[None], values[None], mask)[0]
        room = self.room.setdefault(answers.shape, torch.empty_like(answers))
        return room.copy_(answers)
