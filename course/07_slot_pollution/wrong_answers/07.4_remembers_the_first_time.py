# exercise: 07.4
# reason: forgets-what-went-well
# passes the visible example: yes
# story: remembers what was valid when it first saw the request
valid = {}

def extend(cache, request, rows):
    new = request not in cache.slot
    if new:
        cache.slot[request] = cache.free.pop()
    slot = cache.slot[request]
    if new:
        for lengths in cache.lengths:
            lengths[slot] = 0
    before = valid.setdefault((id(cache), request), [lengths[slot] for lengths in cache.lengths])
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
