# exercise: 01.5
# reason: more-than-possible
# passes the visible example: yes
# story: lets the rate grow beyond all requests
def false_accepts(requests, threads, gap, interval):
    return 0 if threads == 1 else requests * 0.25 * gap / interval
