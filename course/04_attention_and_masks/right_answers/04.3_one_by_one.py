# exercise: 04.3
# mechanism: moves one key with its value under hostile scores
def is_wrong(attend):
    q_len, kv_len = 5, 9
    own = torch.arange(kv_len)[-q_len:]
    for size in (1.0, 3e4, 3e9):
        q, k, v = torch.full((q_len, 1), size), -torch.ones(kv_len, 1), torch.arange(float(kv_len))[:, None]
        for key in range(kv_len):
            other_k, other_v = k.clone(), v.clone()
            other_k[key], other_v[key] = 0.0, -50.0
            changed = (attend(q, other_k, other_v) != attend(q, k, v)).any(-1)
            if (changed != (own >= key)).any():
                return True
    return False
