# exercise: 02.4
# reason: wrong-user
# passes the visible example: no
# story: runs the job and drops its answer
def request(mine, user, job):
    mine.user = user
    try:
        job()
    finally:
        mine.user = None
