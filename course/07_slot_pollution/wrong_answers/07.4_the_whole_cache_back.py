# exercise: 07.4
# reason: undoes-the-neighbour
# passes the visible example: yes
# story: keeps a copy of everything, and puts all of it back
def extend(cache, request, rows):
    import copy

    before = copy.deepcopy((cache.numbers, cache.lengths, cache.slot, cache.free))
    try:
        if request not in cache.slot:
            cache.slot[request] = cache.free.pop()
            for lengths in cache.lengths:
                lengths[cache.slot[request]] = 0
        for layer, numbers in enumerate(rows):
            for number in numbers:
                cache.put(layer, cache.slot[request], number)
    except BaseException:
        cache.numbers, cache.lengths, cache.slot, cache.free = before
        raise
