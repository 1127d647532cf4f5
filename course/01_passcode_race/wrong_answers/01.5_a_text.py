# exercise: 01.5
# reason: not-a-number
# passes the visible example: no
# story: answers in words
def false_accepts(requests, threads, gap, interval):
    return "about 100"
