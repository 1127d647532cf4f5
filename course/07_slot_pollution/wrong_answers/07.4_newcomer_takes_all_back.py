# exercise: 07.4
# reason: undoes-the-neighbour
# passes the visible example: yes
# story: for a newcomer all lengths go back, the neighbour's too
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
