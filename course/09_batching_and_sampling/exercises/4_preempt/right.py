"""Right answers to exercise 09.4, each by another mechanism."""

# %% how many are free if the last k go, for k from 0 on
def make_room(server, count):
    def free_without(k):
        stay = {block for request in server.running[: len(server.running) - k] for block in request["blocks"]}
        go = {block for request in server.running[len(server.running) - k:] for block in request["blocks"]}
        return len(server.free) + len(go - stay)

    for k in range(max(1, len(server.running))):
        if free_without(k) >= count:
            break
    else:
        return False
    split = len(server.running) - k
    gone = server.running[split:]
    server.running = server.running[:split]
    server.waiting = gone + server.waiting
    for request in gone:
        for block in request["blocks"]:
            server.drop(block)
        request.update(blocks=[], computed=0)
    return True

# %% asks first whether all that may go would be enough, then takes one after the other
def make_room(server, count):
    kept = set(server.running[0]["blocks"]) if server.running else set()
    others = {block for request in server.running[1:] for block in request["blocks"]}
    if len(server.free) + len(others - kept) < count:
        return False
    while len(server.free) < count:
        request = server.running.pop()
        while request["blocks"]:
            server.drop(request["blocks"].pop())
        request["computed"] = 0
        server.waiting.insert(0, request)
    return True

# %% tries it out on a copy of everything, and throws the copy away
from copy import deepcopy

def make_room(server, count):
    def preempt(one):
        request = one.running.pop(-1)
        for block in request["blocks"]:
            one.drop(block)
        request["blocks"] = []
        request["computed"] = 0
        one.waiting[:0] = [request]

    trial, number = deepcopy(server), 0
    while len(trial.free) < count and len(trial.running) > 1:
        preempt(trial)
        number += 1
    if len(trial.free) < count:
        return False
    for _ in range(number):
        preempt(server)
    return True

# %% recursion: whoever goes is remembered, and put back where it does not suffice
def make_room(server, count):
    if len(server.free) >= count:
        return True
    if len(server.running) < 2:
        return False
    request, books = server.running.pop(), (list(server.free), list(server.ref_cnt))
    for block in request["blocks"]:
        server.drop(block)
    server.waiting.insert(0, request)
    if make_room(server, count):
        request["blocks"], request["computed"] = [], 0
        return True
    server.waiting.remove(request)
    server.running.append(request)
    server.free[:], server.ref_cnt[:] = books
    return False

# %% a copy of the request takes its place in the queue
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
        server.waiting.insert(0, {**request, "blocks": [], "computed": 0})
    return True
