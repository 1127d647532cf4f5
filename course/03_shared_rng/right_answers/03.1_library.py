# exercise: 03.1
# mechanism: the library's own generator
from sharedstate.passcodes import generate


def unit_batch(master, unit, count):
    return [code.decode() for code in generate(count, seed=master, unit=unit).tolist()]
