# exercise: 01.1
# reason: counts-to-the-end
# passes the visible example: yes
# story: counts Alice's seven steps, so a line added tomorrow leaves her one short
schedule = ["mallory*3", "alice*7", "mallory*"]
