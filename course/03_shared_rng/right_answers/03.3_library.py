# exercise: 03.3
# mechanism: the library's own
from sharedstate.passcodes import passcode_at


def passcode(seed, k):
    return passcode_at(k, seed).decode()
