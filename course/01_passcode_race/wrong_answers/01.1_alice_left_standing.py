# exercise: 01.1
# reason: unfinished
# passes the visible example: yes
# story: stops as soon as Mallory is in, and leaves Alice in the room
schedule = ["mallory*3", "alice*3", "mallory*"]
