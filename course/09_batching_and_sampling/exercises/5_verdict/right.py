"""Right answers to exercise 09.5, each by another mechanism."""

# %% three questions, each a function of its own, over stacked logits
def served(server, texts, dtype):
    return torch.stack(list(server(texts, dtype)))

def by_neighbours(server, texts, dtype):
    for place in range(len(texts)):
        others = [[60 - token if token != 30 else 0 for token in text] for text in texts]
        others[place] = texts[place]
        yield not torch.equal(served(server, others, dtype)[place], served(server, texts, dtype)[place])

def apart(server, texts, dtype):
    alone = torch.cat([served(server, [text], dtype) for text in texts])
    return (alone - served(server, texts, dtype)).abs()

def what_is_it(server, texts):
    kinds = {torch.float32: 1e-4, torch.float64: 1e-9}
    far = [not bool((apart(server, texts, dtype) <= most).all()) for dtype, most in kinds.items()]
    if any(far) or any(any(by_neighbours(server, texts, dtype)) for dtype in kinds):
        return "leak"
    return "rounding" if any(apart(server, texts, dtype).any() for dtype in kinds) else "same"

# %% one neighbour changed at a time, bytes compared
import math

def what_is_it(server, texts):
    def bits(tensor):
        return tensor.numpy().tobytes()

    found = set()
    for dtype in (torch.float64, torch.float32):
        base = server(texts, dtype)
        for other in range(len(texts)):
            changed = [list(text) for text in texts]
            changed[other] = [(7 * token + 1) % 61 if (7 * token + 1) % 61 != token else 11 for token in texts[other]]
            after = server(changed, dtype)
            found |= {"leak" for n in range(len(texts)) if n != other and bits(after[n]) != bits(base[n])}
        for text, mine in zip(texts, base):
            single = server([text], dtype)[0]
            worst = max(abs(a - b) if not math.isnan(a - b) else math.inf for a, b in zip(single.tolist(), mine.tolist()))
            if worst > (1e-9 if dtype == torch.float64 else 1e-4):
                found.add("leak")
            elif bits(single) != bits(mine):
                found.add("rounding")
    return "leak" if "leak" in found else "rounding" if "rounding" in found else "same"

# %% the neighbours' tokens are drawn anew, several times, with a generator of its own
import random

def what_is_it(server, texts):
    dice, word = random.Random(9), "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        here = server(texts, dtype)
        for n in range(len(texts)):
            alone = server([texts[n]], dtype)[0]
            for _ in range(3):
                batch = [text if m == n else [(t + dice.randrange(1, 61)) % 61 for t in text] for m, text in enumerate(texts)]
                if not torch.equal(server(batch, dtype)[n], here[n]):
                    return "leak"
            gap = torch.nan_to_num(alone - here[n], nan=1.0).abs().max().item()
            if gap > most:
                return "leak"
            word = "rounding" if gap > 0 else word
    return word

# %% numpy: every serving once, and then the comparisons
import numpy as np

def what_is_it(server, texts):
    leak = differs = False
    for dtype in (torch.float32, torch.float64):
        together = [x.numpy() for x in server(texts, dtype)]
        alone = [server([text], dtype)[0].numpy() for text in texts]
        for i, text in enumerate(texts):
            shifted = [[60 - (t + 30) % 61 if 60 - (t + 30) % 61 != t else (t + 1) % 61 for t in other] for other in texts]
            shifted[i] = text
            leak |= not np.array_equal(server(shifted, dtype)[i].numpy(), together[i])
            leak |= not np.allclose(alone[i], together[i], rtol=0, atol=1e-4 if dtype == torch.float32 else 1e-9)
            differs |= not np.array_equal(alone[i], together[i])
    return "leak" if leak else "rounding" if differs else "same"
