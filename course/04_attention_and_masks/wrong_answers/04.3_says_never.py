# exercise: 04.3
# reason: misses-a-plain-leak
# passes the visible example: no
# story: nobody is
def is_wrong(attend):
    return False
