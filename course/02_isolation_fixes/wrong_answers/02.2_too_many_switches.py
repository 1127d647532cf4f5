# exercise: 02.2
# reason: not-minimal
# passes the visible example: yes
# story: moves both twice
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*2", "mallory*", "alice*"],
}
