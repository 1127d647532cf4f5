# exercise: 07.4
# reason: counts-its-own-calls
# passes the visible example: yes
# story: takes back as many as it has counted
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
