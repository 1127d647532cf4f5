# exercise: 02.2
# reason: still-refused
# passes the visible example: no
# story: stops Mallory while she holds the lock, so Alice must wait
schedules = {
    "TwoLocks": ["mallory*3", "alice*", "mallory*", "alice*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}
