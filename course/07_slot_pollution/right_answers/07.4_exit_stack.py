# exercise: 07.4
# mechanism: a stack of things to undo, dismissed at the end
def extend(cache, request, rows):
    from contextlib import ExitStack

    with ExitStack() as undo:
        if request not in cache.slot:
            slot = min(cache.free)
            cache.free.remove(slot)
            undo.callback(cache.free.add, slot)
            cache.slot[request] = slot
            undo.callback(cache.slot.pop, request)
            for lengths in cache.lengths:
                lengths[slot] = 0
        slot = cache.slot[request]
        for lengths in cache.lengths:
            undo.callback(lengths.__setitem__, slot, lengths[slot])
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, slot, number)
        undo.pop_all()
