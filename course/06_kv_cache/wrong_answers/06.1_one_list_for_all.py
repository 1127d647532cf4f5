# exercise: 06.1
# reason: not-empty
# passes the visible example: yes
# story: the list stands outside of the class: every text writes into it
pieces = []


class LayerCache:
    def append(self, k, v):
        pieces.append((k.clone(), v.clone()))

    def attend(self, q):
        keys, values = (torch.cat(part, 1) for part in zip(*pieces))
        last = sum(len(k[0]) for k, _ in pieces)
        return attention(q[None], keys[None], values[None], causal_mask(q.shape[1], last))[0]
