# exercise: 02.2
# mechanism: single steps instead of counts
schedules = {
    "TwoLocks": ["mallory", "mallory", "mallory", "mallory", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}
