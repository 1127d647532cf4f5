# exercise: 01.5
# reason: interval-upside-down
# passes the visible example: yes
# story: puts in 5 ms and leaves the interval slider out
def false_accepts(requests, threads, gap, interval):
    return 0 if threads == 1 else requests * 0.25 * min(1, gap / 0.005)
