# exercise: 01.5
# reason: threads-are-not-the-knob
# passes the visible example: yes
# story: needs two pairs of threads before it believes in a race
def false_accepts(requests, threads, gap, interval):
    return requests * 0.25 * min(1, gap / interval) if threads > 2 else 0
