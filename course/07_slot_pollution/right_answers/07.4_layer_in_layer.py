# exercise: 07.4
# mechanism: each layer calls the next and puts back its own length
def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]

    def write(layer):
        if layer == len(rows):
            return
        lengths = cache.lengths[layer]
        before = lengths[slot] = 0 if new else lengths[slot]
        try:
            for number in rows[layer]:
                cache.put(layer, slot, number)
            write(layer + 1)
        except BaseException:
            lengths[slot] = before
            raise

    try:
        write(0)
    except BaseException:
        if new:
            cache.free.add(cache.slot.pop(request))
        raise
