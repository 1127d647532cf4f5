# exercise: 01.5
# reason: more-than-possible
# passes the visible example: yes
# story: lets the rate fade in smoothly, and gives half of it where gap and interval are equal
def false_accepts(requests, threads, gap, interval):
    return 0 if threads == 1 else requests * 0.25 * gap / (gap + interval)
