# exercise: 06.1
# mechanism: a torch module whose answers are inference tensors
class LayerCache(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kv", None)

    def append(self, k, v):
        new = torch.stack((k, v))
        self.kv = new if self.kv is None else torch.cat((self.kv, new), 2)

    @torch.inference_mode()
    def attend(self, q):
        keys, values = self.kv[:, None]
        return attention(q[None], keys, values, causal_mask(q.shape[1], keys.shape[2]))[0]
