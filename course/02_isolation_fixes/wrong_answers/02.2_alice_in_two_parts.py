# exercise: 02.2
# reason: not-minimal
# passes the visible example: no
# story: comes back to Alice once more than TwoLocks needs
schedules = {
    "TwoLocks": ["mallory*4", "alice*5", "mallory*", "alice*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}
