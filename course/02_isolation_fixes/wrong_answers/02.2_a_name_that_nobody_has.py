# exercise: 02.2
# reason: bad-word
# passes the visible example: no
# story: writes malory
schedules = {
    "TwoLocks": ["malory*4", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}
