# exercise: 01.1
# reason: counts-to-the-end
# passes the visible example: yes
# story: counts Mallory's own last steps, which will be one more tomorrow
schedule = ["mallory*3", "alice*", "mallory*4"]
