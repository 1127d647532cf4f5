# exercise: 01.1
# reason: bad-word
# passes the visible example: no
# story: writes a sentence instead of words for play
schedule = ["mallory writes", "alice runs", "mallory reads"]
