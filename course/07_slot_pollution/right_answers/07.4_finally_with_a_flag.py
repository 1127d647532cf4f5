# exercise: 07.4
# mechanism: a flag says at the end whether all went well
def extend(cache, request, rows):
    mine = cache.slot.get(request)
    slot = min(cache.free) if mine is None else mine
    valid = [0 if mine is None else lengths[slot] for lengths in cache.lengths]
    cache.free.discard(slot)
    cache.slot[request] = slot
    done = False
    try:
        for layer, length in enumerate(valid):
            cache.lengths[layer][slot] = length
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
        done = True
    finally:
        if not done:
            for layer, length in enumerate(valid):
                cache.lengths[layer][slot] = length
            if mine is None:
                del cache.slot[request]
                cache.free.add(slot)
