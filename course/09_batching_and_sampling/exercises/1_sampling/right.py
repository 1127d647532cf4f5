"""Right answers to exercise 09.1, each by another mechanism."""

# %% plain Python, row by row, no tensor operation
import math

def sample(logits, ways, numbers):
    def one(row, temperature, top_k, top_p, number):
        ranked = sorted(range(len(row)), key=lambda token: (-row[token], token))
        if temperature == 0:
            return ranked[0]
        weight = [math.exp((x - max(row)) / temperature) for x in row]
        ranked = ranked[:top_k] if top_k else ranked
        goal, kept, got = top_p * sum(weight[token] for token in ranked), set(), 0.0
        for token in ranked:
            if kept and got >= goal:
                break
            kept.add(token)
            got += weight[token]
        left = number * got
        for token in sorted(kept):
            if left < weight[token]:
                return token
            left -= weight[token]
        return max(token for token in kept if weight[token])

    return [one(row, *way, number) for row, way, number in zip(logits.tolist(), ways, numbers)]

# %% the whole batch at once, scattered back into the vocabulary's order
def sample(logits, ways, numbers):
    logits = logits.double()
    temperature, top_k, top_p = (torch.tensor(part, dtype=torch.float64)[:, None] for part in zip(*ways))
    greedy = temperature == 0
    shares = torch.softmax(logits / temperature.masked_fill(greedy, 1), -1)
    best, order = shares.sort(stable=True, dim=-1, descending=True)
    ranks = torch.arange(logits.shape[1])
    best = best.masked_fill((ranks >= top_k) & (top_k > 0), 0)
    before = best.cumsum(-1) - best
    best = best.masked_fill((before >= top_p * best.sum(-1, keepdim=True)) & (ranks > 0), 0)
    kept = torch.zeros_like(shares).scatter(1, order, best)
    upto = kept.cumsum(-1)
    wanted = upto[:, -1:] * torch.tensor(numbers, dtype=torch.float64)[:, None]
    drawn = torch.searchsorted(upto, wanted, right=True)[:, 0]
    return torch.where(greedy[:, 0], logits.argmax(-1), drawn).tolist()

# %% float32, and the ranks of all tokens by counting who is better
def sample(logits, ways, numbers):
    tokens = []
    for row, way, number in zip(logits.float(), ways, numbers):
        temperature, top_k, top_p = way
        place = torch.arange(len(row))
        better = (row[None] > row[:, None]) | ((row[None] == row[:, None]) & (place[None] < place[:, None]))
        rank = better.sum(-1)
        if not temperature:
            tokens.append(int((rank == 0).nonzero()))
            continue
        share = torch.softmax(row / temperature, -1)
        share = share * (rank < (top_k or len(row)))
        share = share / share.sum()
        before = (better * share[None]).sum(-1)
        share = share * ((before < top_p) | (rank == 0))
        upto = torch.cumsum(share / share.sum(), -1)
        above = (upto > number) & (share > 0)
        tokens.append(int(above.nonzero()[0]) if above.any() else int(share.nonzero()[-1]))
    return tokens

# %% numpy, and bisect on the running sum
import bisect
import itertools
import numpy as np

def sample(logits, ways, numbers):
    def token(row, way, number):
        temperature, top_k, top_p = way
        by_share = np.argsort(-row, kind="stable")
        if temperature == 0:
            return int(by_share[0])
        weights = np.exp((row - row.max()) / temperature)
        by_share = by_share[: top_k if top_k > 0 else len(row)]
        sums = np.cumsum(weights[by_share])
        count = 1 + int(np.sum(sums[:-1] < top_p * sums[-1]))
        kept = sorted(by_share[:count].tolist())
        line = list(itertools.accumulate(weights[kept].tolist()))
        return kept[bisect.bisect_right(line, number * line[-1])]

    rows = logits.to(torch.float64).numpy()
    return [token(row, way, number) for row, way, number in zip(rows, ways, numbers)]

# %% the sampler of the engine that the lesson reads
from sharedstate.serving import Sampling, draw

def sample(logits, ways, numbers):
    tokens = []
    for row, (temperature, top_k, top_p), number in zip(logits.double(), ways, numbers):
        if temperature == 0:
            tokens.append(row.argmax())
        else:
            tokens += draw(row[None], [Sampling(temperature, top_k, top_p)], [number])
    return tokens

# %% fractions: no rounding at all
from fractions import Fraction
import math
def sample(logits, ways, numbers):
    out = []
    for row, (t, k, p), u in zip(logits.tolist(), ways, numbers):
        if not t:
            out.append(row.index(max(row)))
            continue
        w = [Fraction(math.exp((x - max(row)) / t)) for x in row]
        order = sorted(range(len(w)), key=lambda i: w[i], reverse=True)
        if k:
            del order[k:]
        total, acc, keep = sum(w[i] for i in order), Fraction(0), []
        for i in order:
            if not keep or acc < Fraction(p) * total:
                keep.append(i)
                acc += w[i]
        goal, at = Fraction(u) * acc, Fraction(0)
        for i in sorted(keep):
            at += w[i]
            if at > goal:
                out.append(i)
                break
    return out
