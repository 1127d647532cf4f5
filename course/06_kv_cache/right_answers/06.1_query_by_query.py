# exercise: 06.1
# mechanism: asks each query by itself, over exactly its past, softmax written out
class LayerCache:
    def __init__(self):
        self.cards = []

    def append(self, k, v):
        self.cards += [(k[:, t].clone(), v[:, t].clone()) for t in range(k.shape[1])]

    def attend(self, q):
        answers = []
        for row in range(q.shape[1]):
            past = self.cards[:len(self.cards) - q.shape[1] + row + 1]
            k, v = (torch.stack(part, 1).repeat_interleave(len(q) // len(past[0][0]), 0) for part in zip(*past))
            weights = ((q[:, row, None] * k).sum(-1) / q.shape[-1]**0.5).softmax(-1)
            answers.append((weights[:, :, None] * v).sum(1))
        return torch.stack(answers, 1)
