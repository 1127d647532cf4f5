# exercise: 02.2
# reason: bad-word
# passes the visible example: yes
# story: writes a sentence for the last one
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
    "NewLock": ["mallory*2", "alice*", "mallory*"],
    "SharedResult": ["mallory writes", "alice runs", "mallory reads"],
}
