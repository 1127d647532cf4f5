"""Right answers to exercise 02.2, each by another mechanism."""

# %% stops after the write, or the release
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}

# %% stops just before the read
schedules = {
    "TwoLocks": ["mallory*5", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory", "mallory", "alice*", "mallory*"],
}

# %% single steps instead of counts
schedules = {
    "TwoLocks": ["mallory", "mallory", "mallory", "mallory", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}
