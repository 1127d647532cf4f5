# exercise: 02.2
# reason: still-refused
# passes the visible example: no
# story: the right schedules under the wrong names
schedules = {
    "TwoLocks": ["mallory*2", "alice*", "mallory*"],
    "NewLock": ["mallory*4", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}
