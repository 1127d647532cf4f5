# exercise: 07.4
# mechanism: notes how to undo each step; has a word of its own for no room
from functools import partial


class NoRoom(Exception):
    pass


def extend(cache, request, rows):
    undo = []
    try:
        if request not in cache.slot:
            if not cache.free:
                raise NoRoom(request)
            slot = cache.slot[request] = min(cache.free)
            cache.free.discard(slot)
            undo.append(lambda: cache.free.add(cache.slot.pop(request)))
            for lengths in cache.lengths:
                lengths[slot] = 0
        slot = cache.slot[request]
        for layer, numbers in enumerate(rows):
            lengths = cache.lengths[layer]
            undo.append(partial(lengths.__setitem__, slot, lengths[slot]))
            for number in numbers:
                cache.put(layer, slot, number)
    except BaseException:
        for step in reversed(undo):
            step()
        raise
