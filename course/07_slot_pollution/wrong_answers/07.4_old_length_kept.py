# exercise: 07.4
# reason: old-length
# passes the visible example: yes
# story: a new request begins behind what was left in its slot
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
