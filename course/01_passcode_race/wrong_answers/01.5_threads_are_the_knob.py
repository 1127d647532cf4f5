# exercise: 01.5
# reason: threads-are-not-the-knob
# passes the visible example: yes
# story: believes the popular curve: more threads, more entries
def false_accepts(requests, threads, gap, interval):
    return requests * 0.25 * gap / interval * threads / 8
