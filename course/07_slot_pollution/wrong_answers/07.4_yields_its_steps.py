# exercise: 07.4
# reason: never-ran
# passes the visible example: no
# story: a generator: calling it writes nothing
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
