# exercise: 01.1
# reason: still-refused
# passes the visible example: no
# story: takes the two steps of += for one, so Mallory writes after Alice
schedule = ["mallory*2", "alice*", "mallory*"]
