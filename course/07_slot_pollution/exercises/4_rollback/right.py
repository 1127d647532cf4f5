"""Right answers to exercise 07.4, each by another mechanism."""

# %% a stack of things to undo, dismissed at the end
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

# %% a flag says at the end whether all went well
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

# %% each layer calls the next and puts back its own length
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

# %% notes how to undo each step; has a word of its own for no room
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

# %% the newcomer enters the table only when all is written
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
