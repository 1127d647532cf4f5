# exercise: 04.1
# reason: top-left
# passes the visible example: yes
# story: counts from the top left corner, as tril does
def causal_weights(scores):
    q_len, kv_len = scores.shape[-2:]
    past = torch.ones(q_len, kv_len, dtype=torch.bool).tril()
    return scores.masked_fill(~past, -torch.inf).softmax(-1)
