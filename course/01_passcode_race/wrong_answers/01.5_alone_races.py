# exercise: 01.5
# reason: alone-cannot-race
# passes the visible example: yes
# story: the formula as it stands, also for a single thread
def false_accepts(requests, threads, gap, interval):
    return requests * 0.25 * min(1, gap / interval)
