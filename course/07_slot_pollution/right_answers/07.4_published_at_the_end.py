# exercise: 07.4
# mechanism: the newcomer enters the table only when all is written
def extend(cache, request, rows):
    if request in cache.slot:
        append(cache, cache.slot[request], rows)
        return
    slot = cache.free.pop()
    try:
        for lengths in cache.lengths:
            lengths[slot] = 0
        append(cache, slot, rows)
    except BaseException:
        cache.free.add(slot)
        raise
    cache.slot[request] = slot

def append(cache, slot, rows):
    before = {layer: lengths[slot] for layer, lengths in enumerate(cache.lengths)}
    try:
        for token in range(len(rows[0])):
            for layer in before:
                cache.put(layer, slot, rows[layer][token])
    except BaseException:
        for layer in before:
            cache.lengths[layer][slot] = before[layer]
        raise
