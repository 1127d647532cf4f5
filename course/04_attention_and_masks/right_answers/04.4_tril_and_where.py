# exercise: 04.4
# mechanism: a moved triangle, and torch.where for the empty rows
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    own = torch.eye(kv_len, dtype=torch.bool)[kv_len - q_len:]
    mask = torch.logical_and(causal, tokens[:, None, None, :])
    return torch.where(mask.any(-1, keepdim=True), mask, own)
