"""Wrong answers to exercise 09.5: why each is rejected, whether it passes the lab's example, its story."""

# %% below-the-tolerance | visible: yes | alone against batched in two precisions, nothing more
def what_is_it(server, texts):
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            near = (alone - together[place]).abs().max() <= most
            if not near:
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% below-the-tolerance | visible: yes | alone against batched in float32, and the neighbours in float32
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4),):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = (alone - together[place]).abs().max() <= most
            if not near or not torch.equal(moved, together[place]):
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% only-the-contents | visible: yes | the neighbours' bits decide alone
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            if not torch.equal(moved, together[place]):
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% accuses-rounding | visible: no | whatever is not the same is a leak
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = (alone - together[place]).abs().max() <= most
            if not near or not torch.equal(moved, together[place]):
                return "leak"
            if not torch.equal(alone, together[place]):
                return "leak"
    return word

# %% accuses-rounding | visible: no | the popular tolerance of float64 for both precisions
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-9), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = (alone - together[place]).abs().max() <= most
            if not near or not torch.equal(moved, together[place]):
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% one-precision | visible: yes | float64 only, since there rounding is small
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float64, 1e-9),):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = (alone - together[place]).abs().max() <= most
            if not near or not torch.equal(moved, together[place]):
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% one-text | visible: yes | looks at the first text
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts[:1]):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = (alone - together[place]).abs().max() <= most
            if not near or not torch.equal(moved, together[place]):
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% one-neighbour | visible: yes | changes the text in front only
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*texts[:max(0, place - 1)], *changed[max(0, place - 1):place], *texts[place:]], dtype)[place]
            near = (alone - together[place]).abs().max() <= most
            if not near or not torch.equal(moved, together[place]):
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% only-pairs | visible: yes | serves each text together with the one after it
def what_is_it(server, texts):
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        for place, text in enumerate(texts):
            other = texts[(place + 1) % len(texts)]
            alone, mine = server([text], dtype)[0], server([text, other], dtype)[0]
            last = server([other, text], dtype)[1]
            moved = [server([text, [(t + 1) % 61 for t in other]], dtype)[0],
                     server([[(t + 1) % 61 for t in other], text], dtype)[1]]
            if not ((alone - mine).abs().max() <= most and (alone - last).abs().max() <= most):
                return "leak"
            if not (torch.equal(mine, moved[0]) and torch.equal(last, moved[1])):
                return "leak"
            if not (torch.equal(alone, mine) and torch.equal(alone, last)):
                word = "rounding"
    return word

# %% sums-away | visible: yes | compares the sums of the logits, within a tolerance
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = abs(alone.sum() - together[place].sum()) <= most
            if not near or not abs(moved.sum() - together[place].sum()) <= most:
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% misses-a-leak | visible: no | compares the best tokens
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = alone.argmax() == together[place].argmax()
            if not near or moved.argmax() != together[place].argmax():
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% nan | visible: yes | asks whether the difference is larger
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            far = (alone - together[place]).abs().max() > most
            if far or not (moved - together[place]).nan_to_num().eq(0).all():
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% below-the-tolerance | visible: yes | the neighbours' bits are compared within the tolerance as well
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = (alone - together[place]).abs().max() <= most
            if not near or not (moved - together[place]).abs().max() <= most:
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% below-the-tolerance | visible: yes | the neighbours' bits in float32 only
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = (alone - together[place]).abs().max() <= most
            if not near or (dtype == torch.float32 and not torch.equal(moved, together[place])):
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% one-token | visible: yes | the neighbours are changed in their first token only
def what_is_it(server, texts):
    changed = [[(text[0] + 1) % 61, *text[1:]] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = (alone - together[place]).abs().max() <= most
            if not near or not torch.equal(moved, together[place]):
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% not-a-word | visible: no | True or False
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = (alone - together[place]).abs().max() <= most
            if not near or not torch.equal(moved, together[place]):
                return True
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word == "leak"

# %% false-alarm | visible: yes | collects what it finds in a set that outlives the call
found = set()

def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = (alone - together[place]).abs().max() <= most
            if not near or not torch.equal(moved, together[place]):
                found.add("leak")
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return "leak" if found else word

# %% hides-in-float32 | visible: yes | the difference in float32 decides, and the neighbours' bits beyond a millionth
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4),):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = (alone - together[place]).abs().max() <= most
            if not near or (moved - together[place]).abs().max() > 1e-6:
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% changes-its-input | visible: no | changes the neighbours where they lie
def what_is_it(server, texts):
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            for other in texts[:place] + texts[place + 1:]:
                other[0] = (other[0] + 1) % 61
            moved = server(texts, dtype)[place]
            together = server(texts, dtype) if dtype == torch.float64 else together
            near = (alone - together[place]).abs().max() <= most
            if not near or not torch.equal(moved, together[place]):
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% false-alarm | visible: no | changes the text itself as well
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server(changed, dtype)[place]
            near = (alone - together[place]).abs().max() <= most
            if not near or not torch.equal(moved, together[place]):
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% exception | visible: no | takes all texts for equally long
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    torch.tensor(texts)
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = (alone - together[place]).abs().max() <= most
            if not near or not torch.equal(moved, together[place]):
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word

# %% below-the-tolerance | visible: yes | what shrinks with the precision is rounding, and nothing else is asked
def what_is_it(server, texts):
    gaps = []
    for dtype in (torch.float32, torch.float64):
        alone = torch.stack([server([t], dtype)[0] for t in texts])
        gaps.append(float((alone - torch.stack(list(server(texts, dtype)))).abs().max()))
    if gaps == [0, 0]:
        return "same"
    return "rounding" if gaps[1] < gaps[0] / 1000 else "leak"

# %% averages-away | visible: yes | the mean difference
def what_is_it(server, texts):
    changed = [[(token + 1) % 61 for token in text] for text in texts]
    word = "same"
    for dtype, most in ((torch.float32, 1e-4), (torch.float64, 1e-9)):
        together = server(texts, dtype)
        for place, text in enumerate(texts):
            alone = server([text], dtype)[0]
            moved = server([*changed[:place], text, *changed[place + 1:]], dtype)[place]
            near = (alone - together[place]).abs().mean() <= most
            if not near or not torch.equal(moved, together[place]):
                return "leak"
            if not torch.equal(alone, together[place]):
                word = "rounding"
    return word
