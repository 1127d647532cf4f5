# exercise: 02.2
# reason: unfinished
# passes the visible example: yes
# story: stops as soon as Mallory is in
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*2", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}
