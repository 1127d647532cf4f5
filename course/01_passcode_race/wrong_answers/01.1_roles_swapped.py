# exercise: 01.1
# reason: still-refused
# passes the visible example: no
# story: hurts Alice instead: the other invariant
schedule = ["alice*3", "mallory*", "alice*"]
