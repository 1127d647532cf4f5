# exercise: 02.2
# reason: still-refused
# passes the visible example: yes
# story: stops Mallory after she has read her own answer
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*3", "alice*", "mallory*"],
}
