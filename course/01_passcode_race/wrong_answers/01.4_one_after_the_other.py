# exercise: 01.4
# reason: one-by-one
# passes the visible example: yes
# story: a loop, without any thread: measures no race at all
def measure(check, candidates, threads):
    return [check(candidate) for candidate in candidates]
