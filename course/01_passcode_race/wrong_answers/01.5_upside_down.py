# exercise: 01.5
# reason: off-by-scale
# passes the visible example: no
# story: divides the interval by the gap
def false_accepts(requests, threads, gap, interval):
    return 0 if threads == 1 or gap == 0 else requests * 0.25 * min(1, interval / gap)
