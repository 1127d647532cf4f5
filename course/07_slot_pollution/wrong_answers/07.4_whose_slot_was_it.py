# exercise: 07.4
# reason: undoes-the-neighbour
# passes the visible example: yes
# story: puts back who runs, and so brings back one that has ended
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
