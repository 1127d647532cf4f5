# exercise: 01.5
# reason: off-by-scale
# passes the visible example: no
# story: counts every interrupted request as a false accept
def false_accepts(requests, threads, gap, interval):
    return 0 if threads == 1 else requests * min(1, gap / interval)
