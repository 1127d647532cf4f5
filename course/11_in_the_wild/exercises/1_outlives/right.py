"""Right answers to exercise 11.1, each by another mechanism."""

# %% a helper, and two loops
def outlives(make, calls):
    def answer(service, call):
        try:
            return True, service(call)
        except Exception as error:
            return False, type(error), str(error)

    found = []
    for i in range(len(calls)):
        for j in range(len(calls)):
            used = make()
            answer(used, calls[i])
            if answer(used, calls[j]) != answer(make(), calls[j]):
                found.append((i, j))
    return found

# %% what each call says alone is asked once
def outlives(make, calls):
    def last(*asked):
        service, said = make(), None
        for call in asked:
            try:
                said = ["answer", service(call)]
            except Exception as error:
                said = [type(error).__name__, error.args, str(error)]
        return said

    alone = [last(call) for call in calls]
    return [(i, j) for i, first in enumerate(calls) for j, second in enumerate(calls) if last(first, second) != alone[j]]

# %% a class for what was said
class Said:
    def __init__(self, service, call):
        self.value, self.error = None, None
        try:
            self.value = service(call)
        except Exception as error:
            self.error = type(error).__qualname__ + ": " + str(error)

    def same(self, other):
        return self.error == other.error and self.value == other.value

def outlives(make, calls):
    pairs = []
    for i, first in enumerate(calls):
        for j, second in enumerate(calls):
            service = make()
            Said(service, first)
            if not Said(service, second).same(Said(make(), second)):
                pairs.append([i, j])
    return pairs
