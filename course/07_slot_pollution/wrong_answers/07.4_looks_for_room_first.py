# exercise: 07.4
# reason: length-kept
# passes the visible example: yes
# story: checks the room beforehand; then nothing can happen, can it
def extend(cache, request, rows):
    if request not in cache.slot:
        slot = min(cache.free)
        for lengths in cache.lengths:
            lengths[slot] = 0
        cache.free.remove(slot)
        cache.slot[request] = slot
    slot = cache.slot[request]
    if cache.lengths[0][slot] + len(rows[0]) > len(cache.numbers[0][slot]):
        raise ValueError("no room")
    for layer, numbers in enumerate(rows):
        for number in numbers:
            cache.put(layer, slot, number)
