# exercise: 04.4
# reason: sees-padding
# passes the visible example: no
# story: lets every padded query look at itself, also where it has a past
def who_may_look(tokens, q_len):
    kv_len = tokens.shape[1]
    causal = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    own = torch.ones(q_len, kv_len).triu(kv_len - q_len).bool() & causal
    return (causal & tokens[:, None, None, :]) | own
