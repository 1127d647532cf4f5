# exercise: 02.2
# reason: still-refused
# passes the visible example: yes
# story: stops Mallory before she has written anything
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
    "NewLock": ["mallory", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}
