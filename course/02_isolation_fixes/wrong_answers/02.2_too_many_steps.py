# exercise: 02.2
# reason: not-possible
# passes the visible example: yes
# story: counts more steps than there are
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*9", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}
