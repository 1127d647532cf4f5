# exercise: 01.5
# reason: gap-not-proportional
# passes the visible example: yes
# story: copies the number the panel showed, for any gap
def false_accepts(requests, threads, gap, interval):
    return 0 if threads == 1 else requests * 0.001
