# exercise: 04.4
# mechanism: counts the tokens seen so far; a query that has seen none opens its own place
def who_may_look(tokens, q_len):
    batch, kv_len = tokens.shape
    seen = tokens.long().cumsum(-1)[:, None, kv_len - q_len:, None]
    place = torch.arange(kv_len)
    query = place[kv_len - q_len:][:, None]
    past = (query >= place) & tokens.view(batch, 1, 1, kv_len)
    return past | ((seen == 0) & (query == place))
