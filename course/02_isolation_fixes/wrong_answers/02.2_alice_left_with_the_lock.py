# exercise: 02.2
# reason: unfinished
# passes the visible example: no
# story: leaves Alice standing between the two locks of TwoLocks
schedules = {
    "TwoLocks": ["mallory*4", "alice*4", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}
