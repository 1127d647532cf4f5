# exercise: 02.2
# mechanism: stops after the write, or the release
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}
