# exercise: 06.1
# mechanism: writes into room that doubles when it is full
class LayerCache:
    def __init__(self):
        self.room, self.length = None, 0

    def append(self, k, v):
        end = self.length + k.shape[1]
        if self.room is None or end > self.room.shape[2]:
            old, self.room = self.room, k.new_zeros(2, k.shape[0], 2 * end, k.shape[2])
            if old is not None:
                self.room[:, :, :self.length] = old[:, :, :self.length]
        self.room[0, :, self.length:end], self.room[1, :, self.length:end] = k, v
        self.length = end

    def attend(self, q):
        keys, values = self.room[:, :, :self.length]
        mask = causal_mask(q.shape[1], self.length)
        return attention(q[None], keys[None], values[None], mask)[0]
