# exercise: 07.4
# reason: length-kept
# passes the visible example: yes
# story: remembers the length of the first layer, for all of them
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
