# exercise: 04.1
# mechanism: no mask: each query gets its own piece of the past
def causal_weights(scores):
    weights = torch.zeros_like(scores)
    q_len, kv_len = scores.shape[-2:]
    for i in range(q_len):
        end = kv_len - q_len + i + 1
        weights[..., i, :end] = scores[..., i, :end].softmax(-1)
    return weights
