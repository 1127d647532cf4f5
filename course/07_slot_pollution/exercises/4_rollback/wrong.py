"""Wrong answers to exercise 07.4: why each is rejected, whether it passes the lab's example, its story."""

# %% other-exception | visible: yes | raises an error of its own
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    before = [lengths[slot] for lengths in cache.lengths]
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException as problem:
        for lengths, length in zip(cache.lengths, before):
            lengths[slot] = length
        if new:
            cache.free.add(cache.slot.pop(request))
        raise RuntimeError("not appended") from problem

# %% counts-its-own-calls | visible: yes | takes back as many as it has counted
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    written = [0] * len(rows)
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
                written[layer] += 1
    except BaseException:
        for lengths, number in zip(cache.lengths, written):
            lengths[slot] -= number
        if new:
            cache.free.add(cache.slot.pop(request))
        raise

# %% length-kept | visible: yes | puts one layer's length back
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    before = [lengths[slot] for lengths in cache.lengths]
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException:
        cache.lengths[0][slot] = before[0]
        if new:
            cache.free.add(cache.slot.pop(request))
        raise

# %% length-kept | visible: yes | after a failure the request reads nothing
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException:
        for lengths in cache.lengths:
            lengths[slot] = 0
        if new:
            cache.free.add(cache.slot.pop(request))
        raise

# %% slot-lost | visible: yes | the newcomer is forgotten, and its slot as well
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    before = [lengths[slot] for lengths in cache.lengths]
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException:
        for lengths, length in zip(cache.lengths, before):
            lengths[slot] = length
        if new:
            cache.slot.pop(request)
        raise

# %% frees-a-running-slot | visible: yes | on failure nobody keeps a slot
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    before = [lengths[slot] for lengths in cache.lengths]
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException:
        for lengths, length in zip(cache.lengths, before):
            lengths[slot] = length
        cache.free.add(cache.slot.pop(request))
        raise

# %% length-kept | visible: yes | checks the room beforehand; then nothing can happen, can it
def extend(cache, request, rows):
    if request not in cache.slot:
        slot = min(cache.free)
        for lengths in cache.lengths:
            lengths[slot] = 0
        cache.free.remove(slot)
        cache.slot[request] = slot
    slot = cache.slot[request]
    if cache.lengths[0][slot] + len(rows[0]) > len(cache.numbers[0][slot]):
        raise ValueError("no room")
    for layer, numbers in enumerate(rows):
        for number in numbers:
            cache.put(layer, slot, number)

# %% undoes-the-neighbour | visible: yes | for a newcomer all lengths go back, the neighbour's too
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    before = [list(lengths) for lengths in cache.lengths]
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException:
        for lengths, old in zip(cache.lengths, before):
            lengths[:] = old if new else [*lengths[:slot], old[slot], *lengths[slot + 1:]]
        if new:
            cache.free.add(cache.slot.pop(request))
        raise

# %% length-kept | visible: yes | writes, and hopes
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    for layer, numbers in enumerate(rows):
        for number in numbers:
            cache.put(layer, slot, number)

# %% old-length | visible: yes | a new request begins behind what was left in its slot
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    before = [lengths[slot] for lengths in cache.lengths]
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException:
        for lengths, length in zip(cache.lengths, before):
            lengths[slot] = length
        if new:
            cache.free.add(cache.slot.pop(request))
        raise

# %% length-kept | visible: yes | remembers the length of the first layer, for all of them
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    before = cache.lengths[0][slot]
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException:
        for lengths in cache.lengths:
            lengths[slot] = before
        if new:
            cache.free.add(cache.slot.pop(request))
        raise

# %% only-some-exceptions | visible: yes | a client who hangs up is no Exception
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    before = [lengths[slot] for lengths in cache.lengths]
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
    except Exception:
        for lengths, length in zip(cache.lengths, before):
            lengths[slot] = length
        if new:
            cache.free.add(cache.slot.pop(request))
        raise

# %% forgets-what-went-well | visible: yes | remembers what was valid when it first saw the request
valid = {}

def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    before = valid.setdefault((id(cache), request), [lengths[slot] for lengths in cache.lengths])
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException:
        for lengths, length in zip(cache.lengths, before):
            lengths[slot] = length
        if new:
            cache.free.add(cache.slot.pop(request))
        raise

# %% swallows | visible: yes | cleans up, and tells nobody
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    before = [lengths[slot] for lengths in cache.lengths]
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException:
        for lengths, length in zip(cache.lengths, before):
            lengths[slot] = length
        if new:
            cache.free.add(cache.slot.pop(request))

# %% still-there | visible: yes | puts the lengths back, and the newcomer keeps the slot
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    before = [lengths[slot] for lengths in cache.lengths]
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException:
        for lengths, length in zip(cache.lengths, before):
            lengths[slot] = length
        raise

# %% undoes-the-neighbour | visible: yes | keeps a copy of everything, and puts all of it back
def extend(cache, request, rows):
    import copy

    before = copy.deepcopy((cache.numbers, cache.lengths, cache.slot, cache.free))
    try:
        if request not in cache.slot:
            cache.slot[request] = cache.free.pop()
            for lengths in cache.lengths:
                lengths[cache.slot[request]] = 0
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, cache.slot[request], number)
    except BaseException:
        cache.numbers, cache.lengths, cache.slot, cache.free = before
        raise

# %% length-kept | visible: yes | puts back two layers, as many as the example has
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    before = [lengths[slot] for lengths in cache.lengths]
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException:
        for layer in range(2):
            cache.lengths[layer][slot] = before[layer]
        if new:
            cache.free.add(cache.slot.pop(request))
        raise

# %% undoes-the-neighbour | visible: yes | puts back who runs, and so brings back one that has ended
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    before = [lengths[slot] for lengths in cache.lengths]
    running, free = dict(cache.slot), set(cache.free)
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException:
        for lengths, length in zip(cache.lengths, before):
            lengths[slot] = length
        if not new:
            cache.slot, cache.free = running, free
        if new:
            cache.free.add(cache.slot.pop(request))
        raise

# %% never-ran | visible: no | a generator: calling it writes nothing
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    before = cache.lengths[0][slot]
    try:
        for layer, numbers in enumerate(rows):
            for number in numbers:
                yield cache.put(layer, slot, number)
    except BaseException:
        for lengths in cache.lengths:
            lengths[slot] = before
        if new:
            cache.free.add(cache.slot.pop(request))
        raise

# %% wrong-slot | visible: yes | nothing to write, nothing to do: the newcomer gets no slot
def extend(cache, request, rows):
    if not rows or not rows[0]:
        return
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    before = [0 if new else l[slot] for l in cache.lengths]
    for l, n in zip(cache.lengths, before): l[slot] = n
    try:
        for layer, numbers in enumerate(rows):
            for n in numbers: cache.put(layer, slot, n)
    except BaseException:
        for l, n in zip(cache.lengths, before): l[slot] = n
        if new: cache.free.add(cache.slot.pop(request))
        raise
