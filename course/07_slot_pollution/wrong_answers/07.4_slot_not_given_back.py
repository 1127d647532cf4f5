# exercise: 07.4
# reason: still-there
# passes the visible example: yes
# story: puts the lengths back, and the newcomer keeps the slot
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
