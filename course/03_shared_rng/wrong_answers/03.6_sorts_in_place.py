# exercise: 03.6
# reason: changes-input
# passes the visible example: no
# story: sorts both in place to compare something, then compares
def reproduced(run, wanted):
    answer = run == wanted
    for codes in run.values():
        codes.sort()
    return answer
