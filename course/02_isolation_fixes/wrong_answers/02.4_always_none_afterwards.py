# exercise: 02.4
# reason: outer-lost
# passes the visible example: yes
# story: clears for good, so an outer request loses its user
def request(mine, user, job):
    mine.user = user
    try:
        return job()
    finally:
        mine.user = None
