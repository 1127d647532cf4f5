"""Wrong answers to exercise 09.4: why each is rejected, whether it passes the lab's example, its story."""

# %% loses-tokens | visible: no | begins again from the prompt
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
        del request["tokens"][request["prompt_length"]:]
    return True

# %% sends-twice | visible: no | begins counting anew what was sent
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
        request["sent"] = 0
    return True

# %% keeps-computed | visible: no | takes the blocks, and computed stays
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"] = []
    return True

# %% keeps-blocks | visible: no | drops the blocks, and the request still names them
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["computed"] = 0
    return True

# %% lost | visible: no | takes it from the running ones, and puts it nowhere
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% wrong-queue | visible: yes | at the end of the queue, like a new one
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.append(request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% wrong-queue | visible: yes | several are preempted, and the newest stands in front
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims[::-1]:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% changed-by-a-failure | visible: yes | preempts until it finds out that it is not enough
def make_room(server, count):
    while len(server.free) < count and len(server.running) > 1:
        request = server.running.pop()
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return len(server.free) >= count

# %% counts-shared | visible: yes | takes each block of a victim for one that becomes free
def make_room(server, count):
    free, victims = len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            free += len(request["blocks"])
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% counts-shared | visible: yes | counts only the blocks that nobody shares at the start
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                free += ref_cnt[block] == 1
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% frees-shared | visible: yes | puts the blocks into the free list, whoever else uses them
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.ref_cnt[block] = 0
            server.free += [block] * (block not in server.free)
        request["blocks"], request["computed"] = [], 0
    return True

# %% blocks-lost | visible: no | puts the blocks into the free list, and the counts stay
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            if server.ref_cnt[block] == 1:
                server.free.append(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% takes-the-oldest | visible: yes | if need be, the oldest as well
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[::-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% takes-the-oldest | visible: no | the oldest first: it has had the most
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% wrong-victim | visible: yes | the one with the most blocks, so that few must go
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in sorted(server.running[1:], key=lambda one: (len(one["blocks"]), server.running.index(one)))[::-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% too-many | visible: yes | preempts first, and then looks whether it was necessary
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count or not victims:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% too-many | visible: no | everybody but the oldest
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if len(server.free) < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% too-few | visible: yes | one is enough, it will be asked again
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1][:1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False if len(server.running) < 3 else bool(victims)
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% exception | visible: yes | asks for the oldest before it looks whether anybody runs
def make_room(server, count):
    oldest = server.running[0]
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[::-1]:
        if request is oldest:
            break
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% overwrites-keys | visible: yes | wipes the blocks of a victim, those that are shared as well
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.data[block] = [0] * server.size
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% wrong-shape | visible: no | returns whom it has preempted
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return [request["name"] for request in victims]

# %% freed-twice | visible: no | appends to the free list what drop has put there
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
            server.free.append(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% sends-twice | visible: no | puts a fresh copy of the request into the queue
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, {**request, "sent": 0, "blocks": [], "computed": 0})
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"], request["computed"] = [], 0
    return True

# %% keeps-blocks | visible: yes | keeps the shared blocks, since they are still there
def make_room(server, count):
    ref_cnt, free, victims = list(server.ref_cnt), len(server.free), []
    for request in server.running[:0:-1]:
        if free < count:
            victims.append(request)
            for block in request["blocks"]:
                ref_cnt[block] -= 1
                free += ref_cnt[block] == 0
    if free < count:
        return False
    for request in victims:
        server.running.remove(request)
        server.waiting.insert(0, request)
        for block in request["blocks"]:
            server.drop(block)
        request["blocks"] = [b for b in request["blocks"] if server.ref_cnt[b]]
        request["computed"] = len(request["blocks"]) * server.size
    return True
