"""Wrong answers to exercise 09.1: why each is rejected, whether it passes the lab's example, its story."""

# %% wrong-order | visible: yes | walks along the sorted line, the most likely token first, once it has cut
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()]
        kept = kept.sort().values if not top_k and top_p == 1 else kept
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% wrong-place | visible: no | walks along the line with the most likely token first, always
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()]
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% neighbour | visible: yes | sorts all rows as soon as one of them cuts, and walks along the sorted lines
def sample(logits, ways, numbers):
    tokens, cuts = [], len(ways) > 1 and any(k or p < 1 for _, k, p in ways)
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()]
        kept = kept if cuts else kept.sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% neighbour | visible: yes | one top_k for the batch: the largest that anybody asks for
def sample(logits, ways, numbers):
    tokens, most = [], max(k for _, k, _ in ways)
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: most or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% neighbour | visible: yes | the numbers are dealt to the rows that draw, in turn
def sample(logits, ways, numbers):
    tokens, dealt = [], iter(numbers)
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        number = next(dealt)
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% ties | visible: yes | keeps all that are at least as likely as number k
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: int((best >= best[min(top_k, len(best)) - 1]).sum())] if top_k else best
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% ties | visible: yes | the sort is not stable: of equal ones the higher token comes first
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        order = shares.sort(stable=True).indices.flip(0)
        best = shares[order]
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% top-p | visible: yes | drops the token that reaches the share p
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        kept = order[: len(best)][best.cumsum(-1) <= top_p * best.sum() + 1e-12].sort().values
        kept = kept if len(kept) else order[:1]
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% p-of-all | visible: yes | top_p of all tokens, whatever top_k has kept
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% p-of-all | visible: yes | first top_p of all, then top_k of these
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()][: top_k or None].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% temperature | visible: yes | divides the shares by the temperature instead of the logits
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row, -1) / temperature
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% temperature | visible: yes | temperature 0 becomes a very small one, so that equal tokens are drawn
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        temperature = temperature or 1e-6
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% banned | visible: yes | the first token whose running sum is not below the number, banned ones among them
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)
        best[top_k or len(best):] = 0
        best[best.cumsum(-1) - best >= top_p * best.sum()] = 0
        line = torch.zeros_like(shares).scatter(0, order, best).cumsum(-1)
        tokens.append(int(torch.searchsorted(line, number * line[-1])))
    return tokens

# %% overflow | visible: yes | an exponential without subtracting the largest, cut off at 1e30
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.exp(row / temperature).clamp(1e-30, 1e30)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[min(place, len(kept) - 1)]) if len(kept) else 0)
    return tokens

# %% half-precision | visible: yes | stays in the precision of the logits
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits, ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% exception | visible: yes | collects the shares in a float32 tensor, whatever the logits are
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.float() if logits.dtype == torch.bfloat16 else logits, ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        shares = torch.zeros(len(row)).scatter(0, torch.arange(len(row)), shares)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% wrong-place | visible: no | a generator of torch's own, seeded with the number
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()].sort().values
        dice = torch.Generator().manual_seed(int(number * 2**31))
        place = int(torch.multinomial(shares[kept], 1, generator=dice))
        tokens.append(int(kept[place]))
    return tokens

# %% changes-its-input | visible: yes | divides the logits where they lie
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits, ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row.div_(temperature).double(), -1)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% temperature | visible: yes | keeps the shares of a row that has been seen, whatever its temperature
memo = {}
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = memo.setdefault(tuple(row.tolist()), torch.softmax(row / temperature, -1))
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% changes-its-input | visible: no | takes the numbers off the caller's list
def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, list(numbers)):
        numbers.pop()
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < top_p * best.sum()].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% neighbour | visible: yes | one top_p for the batch, the smallest that anybody asks for
def sample(logits, ways, numbers):
    tokens, p = [], min(p for _, _, p in ways)
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / temperature, -1)
        best, order = shares.sort(descending=True, stable=True)
        best = best[: top_k or None]
        before = best.cumsum(-1) - best
        kept = order[: len(best)][before < p * best.sum()].sort().values
        line = shares[kept].cumsum(-1)
        place = int((line <= number * line[-1]).sum())
        tokens.append(int(kept[place]))
    return tokens

# %% neighbour | visible: yes | serves eight rows
def sample(logits, ways, numbers):
    tokens = []
    for row, (t, k, p), number in zip(logits.double()[:8], ways, numbers):
        if t == 0:
            tokens.append(int(row.argmax()))
            continue
        shares = torch.softmax(row / t, -1)
        best, order = shares.sort(descending=True, stable=True)
        best = best[:k or None]
        before = best.cumsum(-1) - best
        kept = order[:len(best)][before < p * best.sum()].sort().values
        line = shares[kept].cumsum(-1)
        tokens.append(int(kept[int((line <= number * line[-1]).sum())]))
    return tokens + [0] * (len(logits) - len(tokens))
