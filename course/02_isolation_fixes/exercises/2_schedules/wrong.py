"""Wrong answers to exercise 02.2: why each is rejected, whether it passes the lab's example, its story."""

# %% bad-word | visible: no | writes malory
schedules = {
    "TwoLocks": ["malory*4", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}

# %% bad-word | visible: yes | writes a sentence for the last one
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory writes", "alice runs", "mallory reads"],
}

# %% still-refused | visible: yes | stops Mallory after she has read her own answer
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*3", "alice*", "mallory*"],
}

# %% not-minimal | visible: no | comes back to Alice once more than TwoLocks needs
schedules = {
    "TwoLocks": ["mallory*4", "alice*5", "mallory*", "alice*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}

# %% unfinished | visible: yes | stops as soon as Mallory is in
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*2", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}

# %% unfinished | visible: no | leaves Alice standing between the two locks of TwoLocks
schedules = {
    "TwoLocks": ["mallory*4", "alice*4", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}

# %% still-refused | visible: yes | stops Mallory before she has written anything
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
    "NewLock": ["mallory", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}

# %% missing | visible: yes | stops after the first half fix
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
}

# %% still-refused | visible: no | the right schedules under the wrong names
schedules = {
    "TwoLocks": ["mallory*2", "alice*", "mallory*"],
    "NewLock": ["mallory*4", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}

# %% not-possible | visible: yes | counts more steps than there are
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*9", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}

# %% not-minimal | visible: yes | moves both twice
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*2", "mallory*", "alice*"],
}

# %% still-refused | visible: no | stops Mallory while she holds the lock, so Alice must wait
schedules = {
    "TwoLocks": ["mallory*3", "alice*", "mallory*", "alice*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory*2", "alice*", "mallory*"],
}
