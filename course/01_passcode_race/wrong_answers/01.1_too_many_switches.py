# exercise: 01.1
# reason: not-minimal
# passes the visible example: yes
# story: gets her in, but moves both of them twice
schedule = ["mallory*3", "alice*3", "mallory*", "alice*"]
