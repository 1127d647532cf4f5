# exercise: 02.2
# mechanism: stops just before the read
schedules = {
    "TwoLocks": ["mallory*5", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory", "mallory", "alice*", "mallory*"],
}
