"""Wrong answers to exercise 11.1: why each is rejected, whether it passes the lab's example, its story."""

# %% wrong-pairs | visible: no | one service for everything
def outlives(make, calls):
    def answer(call):
        try:
            return service(call)
        except Exception as error:
            return type(error).__name__, str(error)
    service = make()
    alone = [answer(call) for call in calls]
    found = []
    for i, first in enumerate(calls):
        for j in range(len(calls)):
            answer(first)
            if answer(calls[j]) != alone[j]:
                found.append((i, j))
    return found

# %% forgets-itself | visible: yes | only pairs of two different calls
def outlives(make, calls):
    def answer(service, call):
        try:
            return service(call)
        except Exception as error:
            return type(error).__name__, str(error)
    found = []
    for i, first in enumerate(calls):
        for j, second in enumerate(calls):
            used = make()
            answer(used, first)
            if i != j and answer(used, second) != answer(make(), second):
                found.append((i, j))
    return found

# %% first-may-raise | visible: yes | a first call that raises ends the pair
def outlives(make, calls):
    found = []
    for i, first in enumerate(calls):
        for j, second in enumerate(calls):
            used = make()
            try:
                used(first)
                after = used(second)
                alone = make()(second)
            except Exception:
                continue
            if after != alone:
                found.append((i, j))
    return found

# %% second-may-raise | visible: yes | what raises is left out
def outlives(make, calls):
    found = []
    for i, first in enumerate(calls):
        for j, second in enumerate(calls):
            used = make()
            try:
                used(first)
            except Exception:
                pass
            try:
                if used(second) != make()(second):
                    found.append((i, j))
            except Exception:
                pass
    return found

# %% compares-exceptions | visible: yes | the exception itself is the answer
def outlives(make, calls):
    def answer(service, call):
        try:
            return service(call)
        except Exception as error:
            return error
    found = []
    for i, first in enumerate(calls):
        for j, second in enumerate(calls):
            used = make()
            answer(used, first)
            if answer(used, second) != answer(make(), second):
                found.append((i, j))
    return found

# %% compares-types | visible: yes | an exception is its type
def outlives(make, calls):
    def answer(service, call):
        try:
            return service(call)
        except Exception as error:
            return type(error)
    found = []
    for i, first in enumerate(calls):
        for j, second in enumerate(calls):
            used = make()
            answer(used, first)
            if answer(used, second) != answer(make(), second):
                found.append((i, j))
    return found

# %% compares-truth | visible: yes | an answer that is empty counts as none
def outlives(make, calls):
    def answer(service, call):
        try:
            return service(call) or None
        except Exception as error:
            return type(error).__name__, str(error)
    found = []
    for i, first in enumerate(calls):
        for j, second in enumerate(calls):
            used = make()
            answer(used, first)
            if answer(used, second) != answer(make(), second):
                found.append((i, j))
    return found

# %% forgets-itself | visible: yes | each call after all calls before it
def outlives(make, calls):
    def answer(service, call):
        try:
            return service(call)
        except Exception as error:
            return type(error).__name__, str(error)
    found = []
    for j, second in enumerate(calls):
        for i, first in enumerate(calls[:j]):
            used = make()
            answer(used, first)
            if answer(used, second) != answer(make(), second):
                found.append((i, j))
    return sorted(found)

# %% exception | visible: yes | nobody expects an exception
def outlives(make, calls):
    def after(first, second):
        used = make()
        used(first)
        return used(second)
    pairs = [(i, j) for i in range(len(calls)) for j in range(len(calls))]
    return [(i, j) for i, j in pairs if after(calls[i], calls[j]) != make()(calls[j])]

# %% asks-twice | visible: yes | the second call is asked twice of one service
def outlives(make, calls):
    def answer(service, call):
        try:
            return service(call)
        except Exception as error:
            return type(error).__name__, str(error)
    found = []
    for i, first in enumerate(calls):
        for j, second in enumerate(calls):
            service = make()
            before = answer(service, second)
            answer(service, first)
            if answer(service, second) != before:
                found.append((i, j))
    return found

# %% compares-texts | visible: yes | an exception is its text
def outlives(make, calls):
    def answer(service, call):
        try:
            return service(call)
        except Exception as error:
            return "raised: " + str(error)
    found = []
    for i, first in enumerate(calls):
        for j, second in enumerate(calls):
            used = make()
            answer(used, first)
            if answer(used, second) != answer(make(), second):
                found.append((i, j))
    return found
