# exercise: 02.2
# reason: missing
# passes the visible example: yes
# story: stops after the first half fix
schedules = {
    "TwoLocks": ["mallory*4", "alice*", "mallory*"],
}
